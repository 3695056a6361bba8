import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Registry } from 'prom-client';
import type { Facilitator, FacilitatorUsage } from '../../x402/types.ts';
import { createFacilitatorMetrics } from './facilitator-metrics.ts';

it('leaves out the gas of the facilitator keys while the node hangs, within the time of a scrape', async () => {
  const registry = new Registry();
  const keys = [{ address: '0xaa', gasWei: 10n ** 18n, usable: true }];
  let usage: () => Promise<FacilitatorUsage> = async () => ({
    payments: 1,
    transactions: 1,
    gasUsed: 1,
    nodeRequests: 1,
    keys,
  });
  const facilitator = { usage: () => usage() } as unknown as Facilitator;
  const metrics = createFacilitatorMetrics(registry, facilitator);
  await metrics.read();
  assert.match(await registry.metrics(), /concours_facilitator_key_gas_ether\{address="0xaa"\} 1/);
  usage = () => new Promise(() => {});
  const startedAt = performance.now();
  await metrics.read();
  assert.ok(performance.now() - startedAt < 3_500);
  assert.doesNotMatch(await registry.metrics(), /0xaa/);
});

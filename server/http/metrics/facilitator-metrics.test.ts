import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Registry } from 'prom-client';
import type { Facilitator, FacilitatorUsage } from '../../ports/facilitator.ts';
import { createFacilitatorMetrics } from './facilitator-metrics.ts';

it('shows what payments cost in gas and requests, and the gas that each key has left', async () => {
  const registry = new Registry();
  const usage: FacilitatorUsage = {
    payments: 64,
    transactions: 2,
    gasUsed: 3_200_000,
    nodeRequests: 180,
    keys: [
      { address: '0xaa', gasWei: 1_500_000_000_000_000_000n, usable: true },
      { address: '0xbb', gasWei: 0n, usable: false },
      { address: '0xcc', gasWei: null, usable: true },
    ],
  };
  const facilitator = { usage: async () => usage } as Partial<Facilitator> as Facilitator;
  const metrics = createFacilitatorMetrics(registry, facilitator);
  await metrics.read();
  // Reading twice must not count twice.
  await metrics.read();
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(lines, [
    'concours_facilitator_payments_total 64',
    'concours_facilitator_transactions_total 2',
    'concours_facilitator_gas_total 3200000',
    'concours_node_requests_total 180',
    'concours_facilitator_key_gas_ether{address="0xaa"} 1.5',
    'concours_facilitator_key_gas_ether{address="0xbb"} 0',
    'concours_facilitator_key_usable{address="0xaa"} 1',
    'concours_facilitator_key_usable{address="0xbb"} 0',
    'concours_facilitator_key_usable{address="0xcc"} 1',
  ]);
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { unpaidRequest } from '../support/clients/unpaid-request.ts';
import { outputOf } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Public clients and finders of x402, unmodified and in processes of their own: their packages are not the service's.

const CLIENTS = join(import.meta.dirname, '..', 'x402-clients');
const DISCOVERY = join(CLIENTS, 'node_modules', '@agentcash', 'discovery', 'bin', 'discovery.js');
const FEE_MICRO = 50_000;

const skip = existsSync(DISCOVERY) || process.env['CI'] ? false : 'npm ci --ignore-scripts --prefix test/x402-clients';
const world = skip ? null : await sharedWorld();

describe('public clients of x402', { skip }, () => {
  for (const client of ['@x402/axios', 'x402-axios', '@dexterai/x402'])
    it(`${client} pays an entry fee`, async () => {
      assert.ok(world);
      const { request } = await unpaidRequest(world, FEE_MICRO);
      const input = JSON.stringify({ client, rpcUrl: world.rpcUrl, ...request });
      const paid: ParsedJson = JSON.parse(await outputOf([join(CLIENTS, 'pay.mjs')], input));
      assert.deepEqual([paid.status, paid.hasReceipt], [200, true], JSON.stringify(paid.body));
      assert.equal(paid.body.data.entry_fee_paid, FEE_MICRO);
    });

  it('a finder lists what is paid by the address alone, and reads its schema and its price', async () => {
    assert.ok(world);
    const { request } = await unpaidRequest(world, FEE_MICRO);
    const ask = async (...args: string[]): Promise<ParsedJson> =>
      JSON.parse(await outputOf([DISCOVERY, ...args, '--json'], ''));
    const { resources } = await ask('discover', world.url);
    const paid = (resources as ParsedJson[]).filter(({ protocols }) => protocols?.includes('x402'));
    assert.deepEqual(
      paid.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v1/agents/projects/{project_id}/submissions/{submission_id}'],
    );
    const { found, advisories } = await ask('check', request.url);
    assert.equal(found, true);
    const [advice] = advisories as ParsedJson[];
    assert.ok(advice.inputSchema.requestBody.properties.fileName);
    assert.match(advice.estimatedPrice, /USD/);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createProbes } from './health.ts';

it('an answer about the parts holds for a second, because anybody may ask and each call to a node costs', async () => {
  let asked = 0;
  const check = async () => void (asked += 1);
  const pool = async () => [];
  const deps = { db: pool, reads: pool, anonymous: null, storage: { check }, chain: { check }, facilitator: { check } };
  const probes = createProbes({ ...deps, treasury: {} } as unknown as Parameters<typeof createProbes>[0]);
  for (let count = 0; count < 50; count += 1) assert.equal((await probes()).chain?.up, true);
  assert.equal(asked, 3);
});

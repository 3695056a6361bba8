import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastGate } from './broadcast-gate.ts';

describe('a broadcast gate', () => {
  it('lets no broadcast through before it is opened, and every one afterwards', async () => {
    const gate = createBroadcastGate(60_000);
    const passed: string[] = [];
    const first = gate.pass().then(() => passed.push('first'));
    await gate.reached;
    assert.deepEqual(passed, []);
    assert.equal(gate.open(), true);
    await first;
    await gate.pass();
    assert.equal(gate.open(), true);
  });

  it('stays closed when it was not opened in time', async () => {
    const gate = createBroadcastGate(5);
    await assert.rejects(gate.pass(), /not asked for in time/);
    assert.equal(gate.open(), false);
    await assert.rejects(gate.pass(), /not asked for in time/);
  });

  it('counts its time from the moment it is reached', async () => {
    const gate = createBroadcastGate(5);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(gate.open(), true);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sideBySide } from './side-by-side.ts';

describe('work side by side', () => {
  it('runs at most that many pieces at once, in their order, and goes on after a failure', async () => {
    const bounded = sideBySide(2);
    const started: number[] = [];
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const all = gates.map((gate, index) =>
      bounded(() => {
        started.push(index);
        return gate.promise;
      }),
    );
    const settled = Promise.allSettled(all);
    await new Promise(setImmediate);
    assert.deepEqual(started, [0, 1]);
    gates[1]?.reject(new Error('refused'));
    await new Promise(setImmediate);
    assert.deepEqual(started, [0, 1, 2]);
    for (const [index, gate] of gates.entries()) gate.resolve(index);
    const outcomes = await settled;
    assert.deepEqual(started, [0, 1, 2, 3, 4]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
      [0, 'failed', 2, 3, 4],
    );
  });
});

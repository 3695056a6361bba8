import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from './turns.ts';

describe('a turn of the event loop', () => {
  it('runs its writes in order at its end, and later ones immediately', async () => {
    const currentTurn = createTurns();
    const turn = currentTurn();
    assert.equal(currentTurn(), turn);
    const written: string[] = [];
    const note = (what: string) => () => void written.push(what);
    turn.atEnd(note('first'));
    await Promise.resolve();
    turn.atEnd(note('second'));
    assert.equal(written.length, 0);
    await nextTurn();
    assert.deepEqual(written, ['first', 'second']);
    turn.atEnd(note('late'));
    assert.deepEqual(written, ['first', 'second', 'late']);
    assert.notEqual(currentTurn(), turn);
  });
});

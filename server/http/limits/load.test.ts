import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { operations } from '../../../contract/operations.ts';
import { createShedder, type Shedder } from './load.ts';

const { searchProjects, requestUpload, confirmUpload } = operations;

function admitted(shedder: Shedder): boolean[] {
  return [searchProjects, requestUpload, confirmUpload].map((spec) => !shedder.sheds(spec));
}

describe('load', () => {
  it('is shed when the event loop is late twice: reads by half a second, payments by two', () => {
    mock.timers.enable({ apis: ['setInterval'] });
    let nowMs = 0;
    const shedder = createShedder({ nowMs: () => nowMs });
    const late = (ms: number) => {
      nowMs += 100 + ms;
      mock.timers.tick(100);
      return admitted(shedder);
    };
    assert.deepEqual(late(0), [true, true, true]);
    assert.deepEqual(late(5000), [true, true, true]);
    assert.deepEqual(late(0), [true, true, true]);
    assert.deepEqual(
      [late(501), late(500), late(501), late(501)].map(([reads]) => reads),
      [true, true, true, false],
    );
    assert.deepEqual(
      [late(2001), late(2001)],
      [
        [false, true, true],
        [false, false, false],
      ],
    );
    assert.deepEqual(late(0), [true, true, true]);
    shedder.stop();
    mock.timers.reset();
  });

  it('is shed while requests wait for a connection: reads after half a second, payments after two', () => {
    mock.timers.enable({ apis: ['setInterval'] });
    let waitMs = 0;
    const shedder = createShedder({ nowMs: () => 0, connectionWaitMs: () => waitMs });
    const waiting = (ms: number) => {
      waitMs = ms;
      mock.timers.tick(100);
      return admitted(shedder);
    };
    assert.deepEqual(waiting(500), [true, true, true]);
    assert.deepEqual(waiting(501), [false, true, true]);
    assert.deepEqual(waiting(2_000), [false, true, true]);
    assert.deepEqual(waiting(2_001), [false, false, false]);
    assert.deepEqual(waiting(0), [true, true, true]);
    shedder.stop();
    mock.timers.reset();
  });
});

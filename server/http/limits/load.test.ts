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
});

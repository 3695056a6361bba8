import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { DomainError } from '../../contract/errors.ts';
import { operations } from '../../contract/operations.ts';
import { createShedder } from './load.ts';

test('sheds reads when the event loop is half a second behind, payments and confirmations only at two', () => {
  mock.timers.enable({ apis: ['setInterval'] });
  let delayMs = 20;
  const shedder = createShedder({ takeMs: () => delayMs, stop: () => {} }, 500);
  const { searchProjects, requestUpload, confirmUpload } = operations;
  const admitted = (ms: number) => {
    delayMs = ms;
    mock.timers.tick(500);
    return [searchProjects, requestUpload, confirmUpload].map((spec) => {
      try {
        shedder.admit(spec);
        return true;
      } catch (error) {
        assert.ok(error instanceof DomainError);
        assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['INTERNAL_ERROR', 503, 5]);
        return false;
      }
    });
  };
  assert.deepEqual(admitted(500), [true, true, true]);
  assert.deepEqual(admitted(501), [false, true, true]);
  assert.deepEqual(admitted(2001), [false, false, false]);
  assert.deepEqual(admitted(20), [true, true, true]);
  shedder.stop();
  mock.timers.reset();
});

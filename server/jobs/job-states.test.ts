import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createJobStates } from './job-states.ts';

it('keeps the newest run of each job, and counts its failures', () => {
  let second = 0;
  const states = createJobStates({ now: () => new Date(second * 1_000) });
  states.add({ name: 'send', everyMs: 1_000 });
  const fresh = { name: 'send', everyMs: 1_000, runningSince: null, endedAt: null, failures: 0, failedAt: null };
  assert.deepEqual(states.list(), [fresh]);
  states.started('send');
  assert.deepEqual(states.list(), [{ ...fresh, runningSince: new Date(0) }]);
  second = 2;
  states.ended('send', 'failed');
  const failed = { ...fresh, endedAt: new Date(2_000), failures: 1, failedAt: new Date(2_000) };
  assert.deepEqual(states.list(), [failed]);
  second = 3;
  states.started('send');
  second = 4;
  states.ended('send', 'done');
  assert.deepEqual(states.list(), [{ ...failed, endedAt: new Date(4_000) }]);
});

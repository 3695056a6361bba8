import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMachineState } from './machine-state.ts';
import type { Probes } from './health.ts';

const SECOND_MS = 1_000;

/** A machine whose chain answers, hangs, or fails as the test wants. */
function machine() {
  let seconds = 0;
  let asked = 0;
  let answer: () => Promise<Probes> = async () => ({ chain: { up: true, seconds: 0.1 } });
  const state = createMachineState({
    clock: { now: () => new Date(seconds * SECOND_MS) },
    facilitator: { usage: () => Promise.reject(new Error('the node does not answer')) },
    probes: () => {
      asked += 1;
      return answer();
    },
  });
  return {
    state,
    asked: () => asked,
    pass: (more: number) => (seconds += more),
    answers: (next: typeof answer) => (answer = next),
  };
}

it('asks once for all who read within 10 s', async () => {
  const { state, asked, pass } = machine();
  await Promise.all([state(), state()]);
  pass(9);
  const last = await state();
  assert.equal(asked(), 1);
  assert.deepEqual(last, {
    checkedAt: new Date(0),
    dependencies: [{ dependency: 'chain', up: true, seconds: 0.1 }],
    keys: [],
  });
});

it('does not wait for a part that hangs, and shows it later', async () => {
  const { state, pass, answers } = machine();
  await state();
  pass(10);
  const hanging = Promise.withResolvers<Probes>();
  answers(() => hanging.promise);
  assert.equal((await state()).dependencies[0]?.up, true);
  hanging.resolve({ chain: { up: false, seconds: 3 } });
  await hanging.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await state().then(({ checkedAt, dependencies: [chain] }) => [checkedAt.getTime(), chain?.up]), [
    10 * SECOND_MS,
    false,
  ]);
});

it('never shows a state that is older than a minute', async () => {
  const { state, pass, answers } = machine();
  await state();
  pass(61);
  answers(async () => ({ chain: { up: false, seconds: 3 } }));
  assert.equal((await state()).dependencies[0]?.up, false);
});

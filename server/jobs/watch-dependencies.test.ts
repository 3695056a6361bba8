import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDependencyWatch } from './watch-dependencies.ts';

/** Runs the watch on answers of a part, one probe every 10 s, and returns what it told and logged. */
async function watch(answers: string, { canTell = (): boolean => true } = {}) {
  const told: string[] = [];
  const logged: string[] = [];
  let second = 0;
  const run = createDependencyWatch({
    probes: async () => ({ storage: { up: answers[second / 10] === '+' }, chain: { up: true } }),
    tell: async ({ part, up, at }) => {
      if (!canTell()) throw new Error('the database is away');
      if (part === 'storage') told.push(`${up ? 'up' : 'down'} since ${at.getTime() / 1_000}`);
    },
    clock: { now: () => new Date(second * 1_000) },
    log: {
      error: (about: object) => void logged.push(String(Reflect.get(about, 'alert'))),
      info: () => void logged.push('back'),
    },
  });
  for (; second / 10 < answers.length; second += 10) await run().catch(() => {});
  return { told, logged };
}

describe('the watch of the parts', () => {
  it('tells once when a part goes away, and once when it is back', async () => {
    const { told, logged } = await watch('++++-------++++');
    assert.deepEqual(told, ['up since 0', 'down since 40', 'up since 110']);
    assert.deepEqual(logged, ['dependency_down', 'back']);
  });

  it('does not tell of a part that fails or answers for less than three probes', async () => {
    assert.deepEqual((await watch('+++-+--+-+--++')).told, ['up since 0']);
    assert.deepEqual((await watch('---+-++-+--')).told, ['down since 0']);
    assert.deepEqual((await watch('+-+-+-+-')).told, []);
  });

  it('tells a change later, with its own time, if it could not at first', async () => {
    let runs = 0;
    const { told, logged } = await watch('+++---+++++', { canTell: () => (runs += 1) > 7 });
    assert.deepEqual(told, ['up since 0', 'down since 30', 'up since 60']);
    assert.deepEqual(logged, ['dependency_down', 'back']);
  });
});

import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import pino from 'pino';
import { DatabaseError } from '../db/public.ts';
import { startJobs } from './timers.ts';
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

test('a shutdown signals a running job and waits for it', async () => {
  const started = Promise.withResolvers<void>();
  let ended = false;
  const run = async (stopping: AbortSignal) => {
    started.resolve();
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    ended = true;
  };
  const jobs = startJobs([{ everyMs: 1, steps: { long: run } }], pino({ level: 'silent' }));
  await started.promise;
  await jobs.stop();
  assert.equal(ended, true);
});

test('a step that fails is logged by its name, stops no other, and is run again', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const twice = Promise.withResolvers<void>();
  const ran: string[] = [];
  const failing = async () => {
    ran.push('failing');
    throw new Error('failed');
  };
  const next = async () => {
    ran.push('next');
    if (ran.length === 4) twice.resolve();
  };
  const jobs = startJobs([{ everyMs: 1, steps: { failing, next } }], log);
  await twice.promise;
  await jobs.stop();
  assert.deepEqual(ran.slice(0, 4), ['failing', 'next', 'failing', 'next']);
  assert.match(lines[0] ?? '', /"job":"failing"/);
});

test('a job that meets a full disk of the database raises an alert', async () => {
  const logged = Promise.withResolvers<string>();
  const log = pino({ level: 'error' }, { write: (line: string) => logged.resolve(line) });
  const full = Object.create(DatabaseError.prototype, { code: { value: '53100' } }) as Error;
  const jobs = startJobs([{ everyMs: 1, steps: { writing: () => Promise.reject(full) } }], log);
  assert.match(await logged.promise, /"job":"writing","alert":"database_full"/);
  await jobs.stop();
});

test('a job that hangs is abandoned and started again, and a shutdown does not wait for it', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const again = Promise.withResolvers<void>();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 2) again.resolve();
    await new Promise(() => {});
  };
  const jobs = startJobs([{ everyMs: 1, steps: { hanging: run } }], log, { stuckMs: 5, stopMs: 5 });
  await again.promise;
  await jobs.stop();
  assert.match(lines[0] ?? '', /"job":"hanging","alert":"job_stuck"/);
});

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

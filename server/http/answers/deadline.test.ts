import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { DomainError } from '../../../contract/errors.ts';
import { createDeadlines, type Deadlines } from './deadline.ts';
import { DatabaseDeadline } from './errors.ts';
import type { Db } from '../../ports/database.ts';

const SECOND = 1_000;
const answering = (async () => []) as unknown as Db;
const silent = (() => new Promise(() => {})) as unknown as Db;

describe('the deadline of a request', () => {
  /** Time is moved by hand; what is over is told once its reason was looked for. */
  async function timed(db: Db, work: (deadlines: Deadlines, pass: (ms: number) => Promise<void>) => Promise<void>) {
    let now = 0;
    mock.timers.enable({ apis: ['setInterval'] });
    mock.method(performance, 'now', () => now);
    const deadlines = createDeadlines(db);
    try {
      await work(deadlines, async (ms) => {
        now += ms;
        mock.timers.tick(ms);
        await new Promise((resolve) => setImmediate(resolve));
      });
    } finally {
      deadlines.stop();
      mock.timers.reset();
      mock.restoreAll();
    }
  }

  const never = () => new Promise<string>(() => {});
  const stateOf = async (promise: Promise<unknown>) =>
    await Promise.race([
      promise.catch((error: unknown) => error),
      new Promise((tell) => setImmediate(tell, 'waiting')),
    ]);

  it('passes on what comes in time, an answer or an error', async () => {
    await timed(answering, async (deadlines) => {
      assert.equal(await deadlines.keep(Promise.resolve('answer'), false), 'answer');
      await assert.rejects(deadlines.keep(Promise.reject(new Error('why')), true), /why/);
    });
  });

  it('ends a plain request after 20 s, a paid one after 60 s, and no other one with it', async () => {
    await timed(answering, async (deadlines, pass) => {
      const [plain, paid] = [deadlines.keep(never(), false), deadlines.keep(never(), true)];
      await pass(19.9 * SECOND);
      const later = deadlines.keep(never(), false);
      assert.deepEqual([await stateOf(plain), await stateOf(paid)], ['waiting', 'waiting']);
      await pass(0.5 * SECOND);
      const ended = await stateOf(plain);
      assert.ok(ended instanceof DomainError && ended.status === 503, String(ended));
      assert.deepEqual([await stateOf(later), await stateOf(paid)], ['waiting', 'waiting']);
      await pass(40 * SECOND);
      for (const one of [later, paid]) assert.ok((await stateOf(one)) instanceof DomainError);
    });
  });

  it('tells of the database where that is what stays silent', async () => {
    await timed(silent, async (deadlines, pass) => {
      const waiting = deadlines.keep(never(), false);
      await pass(20.5 * SECOND);
      await assert.rejects(waiting, DatabaseDeadline);
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { DomainError } from '../../../contract/basics/errors.ts';
import { createDeadline, type WithDeadline } from './deadline.ts';
import { DatabaseDeadline } from './errors.ts';
import type { Db } from '../../ports/database.ts';

const SECOND = 1_000;
const answering = (async () => []) as unknown as Db;
const silent = (() => new Promise(() => {})) as unknown as Db;

describe('the deadline of a request', () => {
  /** Runs `work` on a clock that only `pass` moves. */
  async function timed(
    db: Db,
    work: (withDeadline: WithDeadline, pass: (ms: number) => Promise<void>) => Promise<void>,
  ) {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      await work(createDeadline(db), async (ms) => {
        mock.timers.tick(ms);
        await new Promise((resolve) => setImmediate(resolve));
      });
    } finally {
      mock.timers.reset();
    }
  }

  const never = () => new Promise<string>(() => {});
  const stateOf = async (promise: Promise<unknown>) =>
    await Promise.race([
      promise.catch((error: unknown) => error),
      new Promise((tell) => setImmediate(tell, 'waiting')),
    ]);

  it('passes on a result or an error that comes in time', async () => {
    await timed(answering, async (withDeadline) => {
      assert.equal(await withDeadline(Promise.resolve('answer'), false), 'answer');
      await assert.rejects(withDeadline(Promise.reject(new Error('why')), true), /why/);
    });
  });

  it('ends a plain request after 20 s and a paid one after 60 s, each by itself', async () => {
    await timed(answering, async (withDeadline, pass) => {
      const [plain, paid] = [withDeadline(never(), false), withDeadline(never(), true)];
      await pass(19.9 * SECOND);
      const later = withDeadline(never(), false);
      assert.deepEqual([await stateOf(plain), await stateOf(paid)], ['waiting', 'waiting']);
      await pass(0.5 * SECOND);
      const ended = await stateOf(plain);
      assert.ok(ended instanceof DomainError && ended.status === 503, String(ended));
      assert.deepEqual([await stateOf(later), await stateOf(paid)], ['waiting', 'waiting']);
      await pass(40 * SECOND);
      for (const one of [later, paid]) assert.ok((await stateOf(one)) instanceof DomainError);
    });
  });

  it('reports the database when the database is silent', async () => {
    await timed(silent, async (withDeadline, pass) => {
      const waiting = withDeadline(never(), false);
      await pass(20.5 * SECOND);
      assert.equal(await stateOf(waiting), 'waiting');
      await pass(SECOND);
      await assert.rejects(waiting, DatabaseDeadline);
    });
  });
});

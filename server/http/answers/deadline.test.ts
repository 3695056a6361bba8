import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { DomainError } from '../../../contract/basics/errors.ts';
import { createDeadline, type WithDeadline } from './deadline.ts';
import { DatabaseDown } from '../../db/breaker.ts';

const SECOND = 1_000;
const answering = { answers: () => Promise.resolve(true) };
const down = { answers: () => Promise.resolve(false) };

describe('the deadline of a request', () => {
  /** Runs `work` on a clock that only `pass` moves. */
  async function timed(
    breaker: typeof answering,
    work: (withDeadline: WithDeadline, pass: (ms: number) => Promise<void>) => Promise<void>,
  ) {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      await work(createDeadline(breaker), async (ms) => {
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

  it('ends a request after 2.5 s when the database does not answer, however long it may take', async () => {
    await timed(down, async (withDeadline, pass) => {
      const waiting = [withDeadline(never(), false), withDeadline(never(), true)];
      await pass(2.4 * SECOND);
      for (const one of waiting) assert.equal(await stateOf(one), 'waiting');
      await pass(0.2 * SECOND);
      for (const one of waiting) await assert.rejects(one, DatabaseDown);
    });
  });
});

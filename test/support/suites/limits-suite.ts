import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  LimitExceeded,
  type Limits,
  type LimitState,
  type LimitTable,
  type Reservation,
} from '../../../server/http/limits/limits.ts';

export type DriverUnderTest = {
  limits: Limits;
  /** The limits of another process, which share the store. */
  elsewhere: Limits;
  /** Waits until the window of one second has ended on the driver's own clock. */
  endWindow(): Promise<void>;
  stop(): Promise<void>;
};

const LONG_SECONDS = 3600;

/** The cases of every driver of the limits. */
export function limitsSuite(name: string, start: (table: LimitTable) => Promise<DriverUnderTest>): void {
  const long = (points: number) => ({ points, seconds: LONG_SECONDS, title: 'Too many' });
  const table: LimitTable = {
    agentOperations: long(5),
    agentReads: { points: 3, seconds: 1, title: 'Too many reads' },
    agentAccount: long(60),
    webhookTests: long(1),
    payments: long(50),
    failedPayments: long(10),
    registration: long(10),
    poster: long(2),
    posterNotes: long(10),
    publicReads: long(64),
    signIns: long(10),
    failedKeys: long(60),
  };
  let driver: DriverUnderTest;
  let limits: Limits;
  let elsewhere: Limits;
  let callers = 0;
  const someone = () => `caller ${(callers += 1)}`;

  async function take(names: Parameters<Limits['take']>[0], key: string, at = limits): Promise<LimitState[]> {
    const states: LimitState[] = [];
    await at.take(names, key, 'RATE_LIMIT_EXCEEDED', states);
    return states;
  }
  const left = async (...given: Parameters<typeof take>) => (await take(...given)).map(({ remaining }) => remaining);
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => assert.fail('it was not refused'),
      (error: unknown) => {
        assert.ok(error instanceof LimitExceeded, String(error));
        return error;
      },
    );
  const pay = (key: string, at = limits) => at.reserve(key, 'RATE_LIMITED', []);
  async function reserve(key: string): Promise<Reservation> {
    const reservation = await pay(key);
    assert.ok(reservation !== 'busy');
    return reservation;
  }
  const reserveAll = (key: string) => Promise.all(Array.from({ length: 10 }, () => reserve(key)));
  async function failuresLeft(key: string, at = limits): Promise<number | undefined> {
    const states: LimitState[] = [];
    await at.peek(['failedPayments'], key, states);
    return states[0]?.remaining;
  }

  describe(`limits: ${name}`, () => {
    before(async () => {
      driver = await start(table);
      ({ limits, elsewhere } = driver);
    });
    after(() => driver.stop());

    it('counts down in a window with a fixed end, and starts again after it', async () => {
      const ada = someone();
      const [first] = await take(['agentReads'], ada);
      assert.deepEqual([first?.limit, first?.remaining, first?.windowSeconds, first?.resetSeconds], [3, 2, 1, 1]);
      const [second] = await take(['agentReads'], ada);
      assert.deepEqual([second?.remaining, second?.resetAt], [1, first?.resetAt]);
      assert.deepEqual(await left(['agentReads'], ada), [0]);
      const error = await refusal(take(['agentReads'], ada));
      assert.deepEqual([error.code, error.retryAfterSeconds, error.state.remaining], ['RATE_LIMIT_EXCEEDED', 1, 0]);
      assert.equal(error.state.resetAt, first?.resetAt);
      await driver.endWindow();
      assert.deepEqual(await left(['agentReads'], ada), [2]);
    });

    it('counts each caller and each limit separately', async () => {
      const [ada, grace] = [someone(), someone()];
      assert.deepEqual(await left(['poster', 'agentOperations'], ada), [1, 4]);
      assert.deepEqual(await left(['poster'], ada), [0]);
      await refusal(take(['poster'], ada));
      assert.deepEqual(await left(['poster'], grace), [1]);
      assert.deepEqual(await left(['agentOperations'], ada), [3]);
    });

    it('stops at the first limit that refuses and does not count later ones', async () => {
      const ada = someone();
      await take(['webhookTests'], ada);
      const states: LimitState[] = [];
      const all = ['agentOperations', 'webhookTests', 'payments'] as const;
      const error = await refusal(limits.take(all, ada, 'RATE_LIMITED', states));
      assert.deepEqual([error.state.name, error.code], ['webhookTests', 'RATE_LIMITED']);
      assert.deepEqual(
        states.map((state) => [state.name, state.remaining]),
        [['agentOperations', 4]],
      );
      assert.deepEqual(await left(['payments'], ada), [49]);
    });

    it('peeks without counting', async () => {
      const ada = someone();
      for (const remaining of [2, 2]) {
        const states: LimitState[] = [];
        await limits.peek(['poster'], ada, states);
        assert.deepEqual([states[0]?.remaining, states[0]?.resetSeconds], [remaining, LONG_SECONDS]);
      }
      assert.deepEqual(await left(['poster'], ada), [1]);
      const states: LimitState[] = [];
      await limits.peek(['poster', 'payments'], ada, states);
      assert.deepEqual(
        states.map(({ remaining }) => remaining),
        [1, 50],
      );
    });

    it('is exact under concurrent requests of two processes', async () => {
      const ada = someone();
      const requests = Array.from({ length: 256 }, (_, index) =>
        left(['publicReads'], ada, index % 2 ? limits : elsewhere),
      );
      const outcomes = await Promise.allSettled(requests);
      const accepted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
      assert.deepEqual(
        accepted.toSorted((a, b) => a - b),
        Array.from({ length: 64 }, (_, index) => index),
      );
    });

    it('holds a reservation for each open payment, so concurrent payments fail no more often than successive ones', async () => {
      const ada = someone();
      const [first, ...others] = await reserveAll(ada);
      assert.equal(await pay(ada), 'busy');
      await first?.end(false);
      const again = await reserve(ada);
      assert.equal(await pay(ada), 'busy');
      for (const reservation of [...others, again]) await reservation.end(true);
      assert.equal((await refusal(pay(ada))).state.name, 'failedPayments');
      assert.ok(await reserve(someone()));
    });

    it('lets a payment wait for the open payments of another process, and counts only those that failed', async () => {
      const ada = someone();
      const [first, second, ...others] = await reserveAll(ada);
      assert.equal(await pay(ada, elsewhere), 'busy');
      assert.equal(await failuresLeft(ada, elsewhere), 10);
      await first?.end(true);
      assert.equal(await failuresLeft(ada, elsewhere), 9);
      assert.equal(await pay(ada, elsewhere), 'busy');
      await second?.end(false);
      const last = await pay(ada, elsewhere);
      assert.ok(last !== 'busy');
      assert.equal(await pay(ada), 'busy');
      for (const reservation of [...others, last]) await reservation.end(true);
      assert.equal((await refusal(pay(ada))).state.remaining, 0);
      assert.equal((await refusal(pay(ada, elsewhere))).state.remaining, 0);
    });

    it('fails exactly as often as allowed when the payments of two processes race', async () => {
      const ada = someone();
      async function failUntilRefused(at: Limits): Promise<number> {
        for (let failures = 0; ;) {
          const reservation = await pay(ada, at).catch(() => null);
          if (reservation === null) return failures;
          await turn();
          if (reservation === 'busy') continue;
          failures += 1;
          await reservation.end(true);
        }
      }
      const racers = Array.from({ length: 40 }, (_, index) => failUntilRefused(index % 2 ? limits : elsewhere));
      const failures = await Promise.all(racers);
      assert.equal(
        failures.reduce((sum, each) => sum + each, 0),
        10,
      );
    });

    it('ends a reservation once', async () => {
      const ada = someone();
      const [first, second] = await reserveAll(ada);
      for (const failed of [true, true, false]) await first?.end(failed);
      assert.equal(await failuresLeft(ada), 9);
      assert.equal(await pay(ada), 'busy');
      await second?.end(false);
      assert.ok(await reserve(ada));
      assert.equal(await pay(ada), 'busy');
    });
  });
}

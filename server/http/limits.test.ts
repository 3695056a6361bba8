import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { readConfig } from '../config.ts';
import { createLimits, LimitExceeded, limitHeaders, type Limits } from './limits.ts';

const START = Date.parse('2026-03-01T12:00:00.250Z');

describe('limits', () => {
  let limits: Limits;
  beforeEach(() => {
    // The limiter keeps its windows by the timers and the clock of the process.
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: START });
    const { limits: config } = readConfig({ LIMIT_AGENT_READS_PER_MINUTE: '3', LIMIT_PAYMENTS_PER_HOUR: '2' });
    limits = createLimits(config, { now: () => new Date() });
  });
  afterEach(() => mock.timers.reset());

  const take = (key: string) => limits.take('agentReads', key, 'RATE_LIMIT_EXCEEDED');
  async function exceeded(key: string): Promise<LimitExceeded> {
    const error = await take(key).then(
      () => assert.fail('it was not refused'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof LimitExceeded);
    return error;
  }

  it('counts down within a fixed window, whose end stays where it is', async () => {
    const resetAt = Math.ceil((START + 60_000) / 1000);
    assert.deepEqual(await take('ada'), {
      name: 'agentReads',
      limit: 3,
      remaining: 2,
      windowSeconds: 60,
      resetSeconds: 60,
      resetAt,
    });
    mock.timers.tick(30_100);
    const second = await take('ada');
    assert.deepEqual([second.remaining, second.resetSeconds, second.resetAt], [1, 30, resetAt]);
    mock.timers.tick(29_000);
    assert.equal((await take('ada')).remaining, 0);
    const error = await exceeded('ada');
    assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['RATE_LIMIT_EXCEEDED', 429, 1]);
    assert.equal(error.message, 'Too many reads: at most 3 per minute. The limit resets in 1 seconds.');
    assert.deepEqual([error.state.remaining, error.state.resetAt], [0, resetAt]);
    mock.timers.tick(900);
    assert.equal((await take('ada')).remaining, 2);
  });

  it('counts each caller and each limit for itself', async () => {
    for (let count = 0; count < 3; count += 1) await take('ada');
    await exceeded('ada');
    assert.equal((await take('grace')).remaining, 2);
    assert.equal((await limits.take('payments', 'ada', 'RATE_LIMITED')).remaining, 1);
  });

  it('looks without counting', async () => {
    assert.deepEqual(
      [(await limits.peek('payments', 'ada')).remaining, (await limits.peek('payments', 'ada')).remaining],
      [2, 2],
    );
    await limits.refuseWhenSpent('payments', 'ada', 'RATE_LIMITED');
    await limits.take('payments', 'ada', 'RATE_LIMITED');
    await limits.take('payments', 'ada', 'RATE_LIMITED');
    await assert.rejects(limits.refuseWhenSpent('payments', 'ada', 'RATE_LIMITED'), {
      code: 'RATE_LIMITED',
      retryAfterSeconds: 3600,
    });
    mock.timers.tick(3_600_000);
    await limits.refuseWhenSpent('payments', 'ada', 'RATE_LIMITED');
  });

  it('tells the tightest limit in X-RateLimit, and each one in the fields of the draft', async () => {
    const states = [await take('ada'), await limits.take('payments', 'ada', 'RATE_LIMITED')];
    assert.deepEqual(limitHeaders(states), {
      'X-RateLimit-Limit': '2',
      'X-RateLimit-Remaining': '1',
      'X-RateLimit-Reset': String(Math.ceil((START + 3_600_000) / 1000)),
      'RateLimit-Policy': '"agentReads";q=3;w=60, "payments";q=2;w=3600',
      RateLimit: '"agentReads";r=2;t=60, "payments";r=1;t=3600',
    });
    assert.deepEqual(limitHeaders([]), {});
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { readConfig } from '../config.ts';
import { createLimits, LimitExceeded, limitHeaders, type Limits } from './limits.ts';

const START = Date.parse('2026-03-01T12:00:00.250Z');

describe('limits', () => {
  let limits: Limits;
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: START });
    const { limits: config } = readConfig({ LIMIT_AGENT_READS_PER_MINUTE: '3', LIMIT_PAYMENTS_PER_HOUR: '2' });
    limits = createLimits(config, { now: () => new Date() });
  });
  afterEach(() => mock.timers.reset());

  const take = (key: string) => limits.take('agentReads', key, 'RATE_LIMIT_EXCEEDED');
  function exceeded(key: string): LimitExceeded {
    try {
      take(key);
    } catch (error) {
      assert.ok(error instanceof LimitExceeded);
      return error;
    }
    assert.fail('it was not refused');
  }

  it('counts down within a fixed window, whose end stays where it is', () => {
    const resetAt = Math.ceil((START + 60_000) / 1000);
    assert.deepEqual(take('ada'), {
      name: 'agentReads',
      limit: 3,
      remaining: 2,
      windowSeconds: 60,
      resetSeconds: 60,
      resetAt,
    });
    mock.timers.tick(30_100);
    const second = take('ada');
    assert.deepEqual([second.remaining, second.resetSeconds, second.resetAt], [1, 30, resetAt]);
    mock.timers.tick(29_000);
    assert.equal(take('ada').remaining, 0);
    const error = exceeded('ada');
    assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['RATE_LIMIT_EXCEEDED', 429, 1]);
    assert.equal(error.message, 'Too many reads: at most 3 per minute. The limit resets in 1 seconds.');
    assert.deepEqual([error.state.remaining, error.state.resetAt], [0, resetAt]);
    mock.timers.tick(900);
    assert.equal(take('ada').remaining, 2);
  });

  it('counts each caller and each limit for itself', () => {
    for (let count = 0; count < 3; count += 1) take('ada');
    exceeded('ada');
    assert.equal(take('grace').remaining, 2);
    assert.equal(limits.take('payments', 'ada', 'RATE_LIMITED').remaining, 1);
  });

  it('looks without counting', () => {
    assert.equal(limits.peek('payments', 'ada').remaining, 2);
    assert.equal(limits.peek('payments', 'ada').remaining, 2);
    limits.refuseWhenSpent('payments', 'ada', 'RATE_LIMITED');
    limits.take('payments', 'ada', 'RATE_LIMITED');
    limits.take('payments', 'ada', 'RATE_LIMITED');
    assert.throws(() => limits.refuseWhenSpent('payments', 'ada', 'RATE_LIMITED'), {
      code: 'RATE_LIMITED',
      retryAfterSeconds: 3600,
    });
    mock.timers.tick(3_600_000);
    limits.refuseWhenSpent('payments', 'ada', 'RATE_LIMITED');
  });

  it('lets windows go that are over, and no others', () => {
    take('ada');
    mock.timers.tick(59_999);
    for (let count = 0; count < 3_000; count += 1) take(`agent ${count}`);
    assert.equal(take('ada').remaining, 1);
    mock.timers.tick(1);
    for (let count = 0; count < 3_000; count += 1) assert.equal(take(`agent ${count}`).remaining, 1);
    assert.equal(take('ada').remaining, 2);
  });

  it('tells the tightest limit in X-RateLimit, and each one in the fields of the draft', () => {
    const states = [take('ada'), limits.take('payments', 'ada', 'RATE_LIMITED')];
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

import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { readConfig } from '../../config.ts';
import { type CounterName, createLimits, createMemoryLimits, type OpenCounter } from './counters.ts';
import { limitHeaders, type LimitState, limitTable } from './limits.ts';
import { limitsSuite } from '../../../test/support/suites/limits-suite.ts';
import { operations } from '../../../contract/operations.ts';
import { createShedder } from './load.ts';

const START = Date.parse('2026-03-01T12:00:00.250Z');

limitsSuite('memory', async (table) => {
  const counters = new Map<CounterName, RateLimiterMemory>();
  const shared: OpenCounter = (name, window) => counters.getOrInsertComputed(name, () => new RateLimiterMemory(window));
  const [limits, elsewhere] = [createLimits(table, shared), createLimits(table, shared)];
  return { limits, elsewhere, endWindow: () => sleep(1_050), stop: async () => {} };
});

describe('limits in memory', () => {
  afterEach(() => mock.timers.reset());

  function start() {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });
    return createMemoryLimits(limitTable(readConfig({ LIMIT_AGENT_PER_MINUTE: '3' }).limits));
  }

  it('counts a payment that never ends as open for a minute at least, and for two at most', async () => {
    const limits = start();
    const pay = () => limits.reserve('ada', 'RATE_LIMITED', []);
    mock.timers.tick(59_000);
    for (let left = 10; left > 0; left -= 1) assert.notEqual(await pay(), 'busy');
    mock.timers.tick(60_000);
    assert.equal(await pay(), 'busy');
    mock.timers.tick(60_000);
    assert.notEqual(await pay(), 'busy');
  });

  it('reports the tightest limit in X-RateLimit, and each one in the fields of the draft', async () => {
    const limits = start();
    const states: LimitState[] = [];
    await limits.take(['agentReads', 'payments'], 'ada', 'RATE_LIMITED', states);
    assert.deepEqual(limitHeaders(states), {
      'X-RateLimit-Limit': '3',
      'X-RateLimit-Remaining': '2',
      'X-RateLimit-Reset': String(Math.ceil((START + 60_000) / 1000)),
      'RateLimit-Policy': '"agentReads";q=3;w=60, "payments";q=50;w=3600',
      RateLimit: '"agentReads";r=2;t=60, "payments";r=49;t=3600',
    });
    assert.deepEqual(limitHeaders([]), {});
  });
});

it('load is shed when the event loop is late twice: reads by half a second, payments by two', () => {
  mock.timers.enable({ apis: ['setInterval'] });
  let nowMs = 0;
  const shedder = createShedder({ nowMs: () => nowMs });
  const late = (ms: number) => {
    nowMs += 100 + ms;
    mock.timers.tick(100);
    return [operations.searchProjects, operations.requestUpload, operations.confirmUpload].map(
      (spec) => !shedder.sheds(spec),
    );
  };
  for (const ms of [0, 5000, 0]) assert.deepEqual(late(ms), [true, true, true]);
  const reads = [501, 500, 501, 501].map((ms) => late(ms)[0]);
  assert.deepEqual(reads, [true, true, true, false]);
  assert.deepEqual(late(2001), [false, true, true]);
  assert.deepEqual(late(2001), [false, false, false]);
  assert.deepEqual(late(0), [true, true, true]);
  shedder.stop();
  mock.timers.reset();
});

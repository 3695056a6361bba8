import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import pino from 'pino';
import { operations } from '../../contract/operations.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { limitsSuite } from '../support/suites/limits-suite.ts';
import { openSharedLimits } from '../../server/http/limits/redis.ts';
import { readConfig } from '../../server/config.ts';
import { type LimitState, limitTable } from '../../server/http/limits/limits.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { type RedisServer, startRedis, withoutRedis } from '../support/servers/redis-server.ts';
import { callOperation } from '../support/clients/requests.ts';
import { prepareWorld, type ServiceProcess } from '../support/processes/service-processes.ts';

// Several processes share their limits in one Redis. The tests kill, pause, fill, and restart that Redis.

const { searchProjects, confirmUpload, getMe, requestUpload, publishProject } = operations;
const ENV = { TRUSTED_PROXIES: '127.0.0.0/8' };

const redis = withoutRedis ? null : await startRedis();
const installation = redis ? await prepareWorld({ env: { ...ENV, REDIS_URL: redis.url } }) : null;
const log = pino({ level: 'silent' });

async function open(server: RedisServer, table = limitTable(readConfig({}).limits), prefix: string = randomUUIDv7()) {
  return await openSharedLimits({ url: server.url, prefix, table, log });
}

if (redis)
  limitsSuite('Redis', async (table) => {
    const prefix = randomUUIDv7();
    const [limits, elsewhere] = [await open(redis, table, prefix), await open(redis, table, prefix)];
    const windows = async () => (await redis.ask('KEYS', `${prefix}:limits:agentReads:*`)) as string[];
    const endWindow = async () => void (await until('the end', async () => (await windows()).length === 0));
    const stop = async () => [limits, elsewhere].forEach((each) => each.close());
    return { limits, elsewhere, endWindow, stop };
  });

describe('limits in Redis', { skip: withoutRedis }, () => {
  const server = redis!;
  const take = async (limits: Awaited<ReturnType<typeof open>>) => {
    const states: LimitState[] = [];
    await limits.take(['agentReads'], 'ada', 'RATE_LIMITED', states);
    return states[0]!;
  };

  it('share their windows among the processes of one service, and with no other service', async () => {
    const [one, two, other] = [
      await open(server, undefined, 'mine'),
      await open(server, undefined, 'mine'),
      await open(server, undefined, 'yours'),
    ];
    const [first, second] = [await take(one), await take(two)];
    assert.deepEqual([first.remaining, second.remaining, second.resetAt], [59, 58, first.resetAt]);
    assert.equal((await take(other)).remaining, 59);
    const keys = (await server.ask('KEYS', '*')) as string[];
    assert.deepEqual(keys.filter((key) => key.includes('ada')).toSorted(), [
      'mine:limits:agentReads:ada',
      'yours:limits:agentReads:ada',
    ]);
    for (const key of keys) assert.ok(Number(await server.ask('PTTL', key)) !== -1, `${key} never ends`);
    for (const limits of [one, two, other]) limits.close();
  });

  it('fail to open without a Redis, and the error names the cause', async () => {
    const nowhere = { ...server, url: `redis://127.0.0.1:${await freePort()}` };
    await assert.rejects(open(nowhere), /ECONNREFUSED/);
  });
});

describe('a service that loses its Redis', { skip: withoutRedis }, () => {
  const server = redis!;
  let service: ServiceProcess;
  let url: string;

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  }

  const register = (address: string) =>
    call(url, 'POST', '/agents/create', { headers: { 'x-forwarded-for': address }, body: {} });

  /** Checks that payments and registrations are rejected, and that all other requests keep their limits. */
  async function heldWithoutRedis(key: string, posterKey: string): Promise<void> {
    const closed = [
      () => callOperation(url, requestUpload, { key }),
      () => callOperation(url, publishProject, { key: posterKey }),
      () => register('203.0.113.50'),
    ];
    for (const ask of closed) {
      const answer = await ask();
      codeIs(answer, 503, 'INTERNAL_ERROR', /Nothing was done or charged/);
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    for (let left = 59; left >= 0; left -= 1) {
      const answer = await callOperation(url, searchProjects, { key });
      assert.deepEqual([answer.status, Number(answer.headers.get('x-ratelimit-remaining'))], [200, left]);
    }
    codeIs(await callOperation(url, searchProjects, { key }), 429, 'RATE_LIMIT_EXCEEDED');
    assert.equal((await callOperation(url, getMe, { key: 'wrong' })).status, 401);
    assert.equal((await callOperation(url, confirmUpload, { key })).status, 404);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    await until('the loss is seen', async () => (await metric('concours_limit_store_up')) === 0, 10_000);
  }

  async function backToRedis(): Promise<void> {
    // The metric may not have seen the loss yet.
    const answered = async () => (await register('203.0.113.51')).status !== 503;
    await until('registrations are counted again', answered, 10_000);
    await until('the limits are shared again', async () => (await metric('concours_limit_store_up')) === 1, 10_000);
    codeIs(await register('203.0.113.51'), 400, 'VALIDATION_ERROR');
  }

  const faults: Record<string, { lose(): Promise<void> | void; restore(): Promise<unknown> | void }> = {
    'when Redis is killed and restarted': { lose: () => server.kill(), restore: () => server.start() },
    'when Redis hangs with its connections open': { lose: () => server.pause(), restore: () => server.resume() },
    'when Redis is full': {
      lose: async () => {
        await server.ask('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
        await server.ask('CONFIG', 'SET', 'maxmemory', '100kb');
      },
      restore: () => server.ask('CONFIG', 'SET', 'maxmemory', '0'),
    },
  };
  for (const [fault, { lose, restore }] of Object.entries(faults)) {
    describe(fault, () => {
      // Restores Redis for the next test if a test failed halfway.
      afterEach(async () => {
        await restore();
      });

      it('rejects payments and registrations, limits other requests by itself, and recovers', async () => {
        service ??= await installation!.start();
        ({ url } = service);
        const [agent, poster] = [await registerAgent(url), await registerPoster(url)];
        expectStatus(await callOperation(url, searchProjects, { key: agent.key }), 200);
        const losses = await metric('concours_limit_store_losses_total');
        await lose();
        await heldWithoutRedis(agent.key, poster.key);
        await restore();
        await backToRedis();
        assert.equal((await metric('concours_limit_store_losses_total')) - losses, 1);
        assert.match(service.running.output(), /"alert":"limit_store_lost"/);
        codeIs(await callOperation(url, requestUpload, { key: agent.key }), 404, 'PROJECT_NOT_FOUND');
        codeIs(await callOperation(url, publishProject, { key: poster.key }), 404, 'PROJECT_NOT_FOUND');
      });
    });
  }

  it('keeps the counts from before Redis hung', async () => {
    const { key } = await registerAgent(url);
    for (let left = 59; left >= 10; left -= 1) await callOperation(url, searchProjects, { key });
    server.pause();
    expectStatus(await callOperation(url, searchProjects, { key }), 200);
    server.resume();
    await backToRedis();
    const answer = await callOperation(url, searchProjects, { key });
    // Redis may have counted requests that it did not answer in time.
    const left = Number(answer.headers.get('x-ratelimit-remaining'));
    assert.ok(left >= 6 && left <= 9, String(left));
  });

  it('stops without waiting for Redis', async () => {
    const { key } = await registerPoster(url);
    await server.kill();
    expectStatus(await call(url, 'POST', '/posters/me/projects', { key, body: brief() }), 201);
    assert.equal(await service.running.kill('SIGTERM'), 0, service.running.output());
  });
});

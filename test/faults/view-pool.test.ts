import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Db } from '../../server/ports/database.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const pools: { db?: Db; views?: Db } = {};
const { url } = await startWorld({
  wrap: ({ db, views }) => {
    Object.assign(pools, { db, views });
    return {};
  },
});

/** Holds every connection of a pool during `work`. */
async function withoutConnections<T>(pool: Db | undefined, work: () => Promise<T>): Promise<T> {
  assert.ok(pool);
  const done = Promise.withResolvers<void>();
  const taken = Array.from({ length: pool.options.max }, () => Promise.withResolvers<void>());
  const transactions = taken.map(({ resolve }) =>
    pool.begin(async (tx) => {
      await tx`select 1`;
      resolve();
      await done.promise;
    }),
  );
  try {
    await Promise.all(taken.map(({ promise }) => promise));
    return await work();
  } finally {
    done.resolve();
    await Promise.all(transactions);
  }
}

async function statusOf(path: string, options: RequestInit = {}): Promise<number> {
  return (await fetch(`${url}/api/v1${path}`, { ...options, signal: AbortSignal.timeout(30_000) })).status;
}

const readMarket = () => statusOf('/projects');
const readLeaders = () => statusOf('/leaderboard');

async function registerPoster(): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return await statusOf('/posters/create', { method: 'POST', headers, body: JSON.stringify({ poster_name: 'Baker' }) });
}

describe('the connections of the views', () => {
  it('serve views while all other connections are in use', async () => {
    assert.deepEqual(await withoutConnections(pools.db, () => Promise.all([readMarket(), readLeaders()])), [200, 200]);
  });

  it('do not serve writes', async () => {
    let answered = false;
    const { registered, leaders, early } = await withoutConnections(pools.views, async () => {
      const waiting = readLeaders().finally(() => (answered = true));
      return { registered: await registerPoster(), leaders: { waiting }, early: answered };
    });
    assert.deepEqual([registered, await leaders.waiting], [201, 200]);
    assert.equal(early, false, 'a view waits for its own pool');
  });
});

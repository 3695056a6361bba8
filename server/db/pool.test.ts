import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPool, createPools } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';

const { url } = await testDatabase();

test('every connection reads arrays, although the pool asks for their types once', async () => {
  const db = createPool({ url, connections: 5 });
  const asks = (): unknown => Reflect.get(db.options, 'fetch_types');
  assert.equal(asks(), true);
  await db`select 1`;
  assert.equal(asks(), false);
  const rows = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const [row] = await db<{ texts: string[]; numbers: number[]; connection: number }[]>`
        select ${['a', 'b']}::text[] as texts, array[1, 2]::bigint[] as numbers, pg_backend_pid() as connection, pg_sleep(0.1)`;
      return row!;
    }),
  );
  assert.ok(new Set(rows.map(({ connection }) => connection)).size > 1);
  for (const { texts, numbers } of rows)
    assert.deepEqual(
      [texts, numbers],
      [
        ['a', 'b'],
        [1, 2],
      ],
    );
  await db.end();
});

test('the pools of views and searches refuse to write, and end what takes too long', async () => {
  const pools = createPools({ url, connections: 3, viewConnections: 2, searchConnections: 3, searchTimeoutMs: 200 });
  const { db, views, searches, searchReads } = pools;
  try {
    const [limits] = await views`
      select current_setting('statement_timeout') as views, current_setting('transaction_read_only') as "readOnly"`;
    assert.deepEqual(limits, { views: '8s', readOnly: 'on' });
    const write = (pool: typeof db) =>
      pool`insert into project_counts (status, stripe, projects) values ('open', 0, 0) on conflict do nothing`;
    for (const pool of [views, searches, searchReads]) await assert.rejects(write(pool), { code: '25006' });
    for (const pool of [searches, searchReads]) await assert.rejects(pool`select pg_sleep(5)`, { code: '57014' });
    await assert.rejects(views`select 1 from agents for share`, { code: '25006' });
    await write(db);
  } finally {
    await Promise.all(Object.values(pools).map((pool) => pool.end()));
  }
});

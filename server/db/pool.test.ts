import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPool } from './pool.ts';
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

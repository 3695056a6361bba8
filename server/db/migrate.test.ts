import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrate } from './migrate.ts';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';

it('applies each file once, whoever else migrates at the same time', async () => {
  const { db, url } = await testDatabase();
  const others = [createPool({ url, connections: 1 }), createPool({ url, connections: 1 })];
  try {
    assert.deepEqual(await Promise.all(others.map((pool) => migrate(pool))), [[], []]);
    const [row] = await db<{ files: number }[]>`select count(*) as files from migrations`;
    assert.ok((row?.files ?? 0) >= 4);
  } finally {
    await Promise.all(others.map((pool) => pool.end()));
  }
});

it('leaves time limits to every later connection, none of which asks for them', async () => {
  const { db, url } = await testDatabase();
  await migrate(db);
  const later = createPool({ url, connections: 1 });
  try {
    const [limits] = await later`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`;
    assert.deepEqual({ ...limits }, { statement: '10s', lock: '5s', idle: '15s' });
    await assert.rejects(async () => await later`set statement_timeout = 50; select pg_sleep(5)`.simple(), {
      code: '57014',
    });
  } finally {
    await later.end();
  }
});

it('refuses a file that was changed after it was applied', async () => {
  const { db } = await testDatabase();
  await db`update migrations set hash = 'other' where name = (select min(name) from migrations)`;
  await assert.rejects(migrate(db), /was changed after it was applied/);
});

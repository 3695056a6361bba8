import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Db } from '../ports/database.ts';
import { migrate } from './migrate.ts';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';

const FILES = (await readdir(join(import.meta.dirname, '..', 'migrations'))).toSorted();

const appliedTo = async (db: Db) =>
  (await db<{ name: string }[]>`select name from migrations order by name`).map(({ name }) => name);

it('gives each file a number of its own, without a gap', () => {
  assert.deepEqual(
    FILES.map((name) => /^(\d{4})_[a-z0-9_]+[.]sql$/.exec(name)?.[1]),
    FILES.map((_, index) => String(index + 1).padStart(4, '0')),
  );
});

it('applies each file once when two processes migrate an empty database at the same time', async () => {
  const { db, url } = await testDatabase({ last: null });
  const processes = [createPool({ url, connections: 2 }), createPool({ url, connections: 2 })];
  try {
    const applied = await Promise.all(processes.map((pool) => migrate(pool)));
    assert.deepEqual(applied.flat().toSorted(), FILES, 'each file by one of them');
    assert.deepEqual(await appliedTo(db), FILES);
  } finally {
    await Promise.all(processes.map((pool) => pool.end()));
  }
});

it('sets time limits for every later connection', async () => {
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

it('refuses a file that changed after it was applied', async () => {
  const { db } = await testDatabase();
  await db`update migrations set hash = 'other' where name = (select min(name) from migrations)`;
  await assert.rejects(migrate(db), /was changed after it was applied/);
});

it('refuses a database with an unknown migration of no kind, and says what to do', async () => {
  const { db } = await testDatabase();
  await db`insert into migrations (name, hash) values ('9999_newer.sql', 'any')`;
  await assert.rejects(migrate(db), {
    message:
      'the database has the migration 9999_newer.sql, which this version does not know. ' +
      'Start the version that applied it, or a newer one.',
  });
  assert.deepEqual(await appliedTo(db), [...FILES, '9999_newer.sql']);
});

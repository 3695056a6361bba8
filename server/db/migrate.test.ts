import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, describe } from 'node:test';
import type { Db } from './database.ts';
import { migrate, prepareDatabase } from './migrate.ts';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { requireDurableCommits } from './time-limits.ts';
import { withTransaction } from './transaction.ts';

describe('a migration', async () => {
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
    const { db, url } = await testDatabase({ empty: true });
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
      await assert.rejects(async () => await later.unsafe('set statement_timeout = 50; select pg_sleep(5)'), {
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

  it('works beside unknown migrations that expand, and refuses one that contracts, and says what to do', async () => {
    const { db } = await testDatabase();
    await db`insert into migrations (name, hash, kind) values ('9998_newer.sql', 'any', 'expand')`;
    assert.deepEqual(await migrate(db), []);
    await db`insert into migrations (name, hash, kind) values ('9999_newer.sql', 'any', 'contract')`;
    await assert.rejects(migrate(db), {
      message:
        'the database has the migration 9999_newer.sql, which takes away what this version uses. ' +
        'Start the version that applied it, or a newer one.',
    });
  });

  it('needs its kind in the first line, and changes nothing when one of its files fails', async () => {
    const { db } = await testDatabase({ empty: true });
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    try {
      await writeFile(join(folder, '0001_first.sql'), '-- expand\ncreate table first (n integer);\n');
      await writeFile(join(folder, '0002_second.sql'), '-- contract\ndrop table second;\n');
      await assert.rejects(migrate(db, { folder }), /"second" does not exist/);
      const [found] = await db`select to_regclass('first') as first, to_regclass('migrations') as migrations`;
      assert.deepEqual({ ...found }, { first: null, migrations: null });
      await writeFile(join(folder, '0002_second.sql'), 'drop table first;\n');
      await assert.rejects(migrate(db, { folder }), /0002_second.sql: the first line must be/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('time limits', async () => {
  const { db, url } = await testDatabase();

  /** Returns what holds in a transaction of a new pool. */
  async function inTransaction(): Promise<string | undefined> {
    const pool = createPool({ url, connections: 1 });
    const [row] = await withTransaction(
      pool,
      (tx) => tx<{ value: string }[]>`
    select current_setting('synchronous_commit') as value`,
    );
    await pool.end();
    return row?.value;
  }

  async function setFor(whom: string, value: string): Promise<void> {
    await db.unsafe(
      `do $$ begin execute format('alter ${whom} set synchronous_commit = ${value}', current_database()); end $$`,
    );
  }

  describe('a commit', () => {
    it('waits for the disk, whatever the database says before or after the start', async () => {
      await setFor('database %I', 'off');
      assert.equal(await inTransaction(), 'off');
      await prepareDatabase(url);
      assert.equal(await inTransaction(), 'on');
      await setFor('database %I', 'local');
      assert.equal(await inTransaction(), 'on');
    });

    it('that does not wait refuses the start, and the reason says what to do', async () => {
      const pool = createPool({ url: `${url}?options=-c%20synchronous_commit=off`, connections: 1 });
      await assert.rejects(requireDurableCommits(pool), /synchronous_commit is off .* restart the pooler/);
      await pool.end();
    });
  });
});

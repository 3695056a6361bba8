import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, describe, after, mock } from 'node:test';
import type { Db } from '../ports/database.ts';
import { migrate } from './migrate.ts';
import { createPool, createPools } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { prepareDatabase } from './prepare.ts';
import { requireDurableCommits } from './time-limits.ts';
import { withTransaction } from './transaction.ts';
import { until } from '../../test/support/processes/processes.ts';
import { NoConnection } from './wait-limit.ts';

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
      const pool = createPool({ url, connections: 1, parameters: { synchronous_commit: 'off' } });
      await assert.rejects(requireDurableCommits(pool), /synchronous_commit is off .* restart the pooler/);
      await pool.end();
    });
  });
});

describe('a transaction', async () => {
  const { url } = await testDatabase();
  const admin = createPool({ url, connections: 1 });
  const db = createPool({ url, connections: 1 });
  await admin`create table notes (note text)`;
  after(() => Promise.all([admin, db].map((pool) => pool.end({ timeout: 1 }))));

  const LOST = { code: 'CONNECTION_CLOSED' };
  const notes = async () => (await admin<{ note: string }[]>`select note from notes`).map(({ note }) => note);

  /** Ends the server process of a connection, as a failover does. */
  async function endBackend(pid: number): Promise<void> {
    await admin`select pg_terminate_backend(${pid})`;
    await until('the server process ends', async () => {
      const left = await admin`select 1 from pg_stat_activity where pid = ${pid}`;
      return left.length === 0;
    });
  }

  it('a statement that fails ends its transaction alone', async () => {
    const failing = withTransaction(db, (tx) => tx`select 1 / 0`, { afterCommit: () => assert.fail('not committed') });
    await assert.rejects(failing, /division by zero/);
    const [row] = await withTransaction(db, (tx) => tx<{ one: number }[]>`select 1 as one`);
    assert.equal(row?.one, 1);
  });

  it('calls afterCommit once, with the result of the attempt that was committed', async () => {
    await admin`create table counted (n integer)`;
    const called: { result: number; attempts: number }[] = [];
    let attempts = 0;
    const counting = withTransaction(
      db,
      async (tx) => {
        attempts += 1;
        await tx`insert into counted values (${attempts})`;
        if (attempts < 3) await tx`do $$ begin raise exception 'a lost race' using errcode = '40001'; end $$`;
        assert.deepEqual(called, [], 'not before the commit');
        return attempts;
      },
      { afterCommit: (result) => void called.push({ result, attempts }) },
    );
    assert.equal(await counting, 3);
    assert.deepEqual(called, [{ result: 3, attempts: 3 }]);
    assert.deepEqual([...(await db`select n from counted`)], [{ n: 3 }]);
  });

  it('runs one of two transactions again that wait for each other, and each calls afterCommit once', async () => {
    await admin`create table locked (n integer, by text)`;
    await admin`insert into locked values (1, ''), (2, '')`;
    const bothHoldOne = Promise.withResolvers<void>();
    const called: string[] = [];
    let [attempts, holding] = [0, 0];
    const inOrder = (pool: typeof db, by: string, order: [number, number]) =>
      withTransaction(
        pool,
        async (tx) => {
          attempts += 1;
          await tx`set local deadlock_timeout = '10ms'`;
          await tx`update locked set by = by || ${by} where n = ${order[0]}`;
          holding += 1;
          if (holding === 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
          await tx`update locked set by = by || ${by} where n = ${order[1]}`;
        },
        { afterCommit: () => void called.push(by) },
      );
    await Promise.all([inOrder(db, 'a', [1, 2]), inOrder(admin, 'b', [2, 1])]);
    assert.equal(attempts, 3);
    assert.deepEqual(called.toSorted(), ['a', 'b']);
    const rows = await db<{ by: string }[]>`select distinct by from locked`;
    assert.ok(rows.length === 1 && ['ab', 'ba'].includes(rows[0]!.by), 'one after the other');
  });

  it('does not call afterCommit when the commit itself fails', async () => {
    await admin`create table checked (n integer unique deferrable initially deferred)`;
    const failing = withTransaction(db, (tx) => tx`insert into checked values (1), (1)`, {
      afterCommit: () => assert.fail('not committed'),
    });
    await assert.rejects(failing, { code: '23505' });
  });

  it('a statement fails when its connection is lost, and the next statement works', async () => {
    const [{ pid }] = await db<[{ pid: number }]>`select pg_backend_pid() as pid`;
    const lost = assert.rejects(db`select pg_sleep(30)`, LOST);
    await until('the statement runs', async () => {
      const running = await admin`select 1 from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`;
      return running.length === 1;
    });
    await endBackend(pid);
    await lost;
    assert.deepEqual([...(await db`select 1 as one`)], [{ one: 1 }]);
  });

  it('what a transaction does after its connection was lost does not happen in the next transaction', async () => {
    const [isLost, isNext, isOver] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Gate, Gate, Gate];
    const failing = withTransaction(db, async (tx) => {
      const [{ pid }] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`;
      await tx`insert into notes values ('lost')`;
      await endBackend(pid);
      isLost.resolve();
      await isNext.promise;
      await assert.rejects(tx`insert into notes values ('late')`.finally(isOver.resolve), LOST);
    });
    await Promise.all([assert.rejects(failing, LOST), isLost.promise]);
    await withTransaction(db, async (tx) => {
      await tx`insert into notes values ('next')`;
      isNext.resolve();
      await isOver.promise;
    });
    assert.deepEqual(await notes(), ['next']);
  });
  type Gate = PromiseWithResolvers<void>;

  it('a statement without a free connection fails in time, and never runs', async () => {
    const limited = createPool({ url, connections: 1, limitWait: true });
    const [taken, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = withTransaction(limited, async (tx) => {
      await tx`select 1`;
      taken.resolve();
      await end.promise;
    });
    await taken.promise;
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const waiting = [
        assert.rejects(
          withTransaction(limited, (tx) => tx`insert into notes values ('transaction')`),
          NoConnection,
        ),
        assert.rejects(limited`insert into notes values ('statement')`.execute(), NoConnection),
      ];
      // The driver sends a statement one turn after its call.
      await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(5_000);
      await Promise.all(waiting);
    } finally {
      mock.timers.reset();
      end.resolve();
    }
    await holder;
    await limited.end();
    assert.deepEqual(await notes(), ['next']);
  });

  it('the pools of views and searches refuse to write, and end what takes too long', async () => {
    const pools = createPools({ url, connections: 3, viewConnections: 2, searchConnections: 3, searchTimeoutMs: 200 });
    const { views, searches, searchReads } = pools;
    try {
      const [limits] = await views`select current_setting('statement_timeout') as views`;
      assert.deepEqual(limits, { views: '8s' });
      for (const pool of [views, searches, searchReads])
        await assert.rejects(pool`insert into notes values ('view')`, { code: '25006' });
      for (const pool of [searches, searchReads]) await assert.rejects(pool`select pg_sleep(5)`, { code: '57014' });
    } finally {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    }
  });
});

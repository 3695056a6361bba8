import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MIGRATIONS } from './migration-files.ts';
import { isOlder } from './migration-state.ts';
import { migrate, planMigrations } from './migrate.ts';
import { createPool } from './pool.ts';
import { prepareDatabase } from './prepare.ts';
import { grantServing } from './serving-role.ts';
import { keepPartitions } from '../webhooks/sender/public.ts';
import { dropPartition, listPartitions } from '../webhooks/sender/partition-queries.ts';
import { testDatabase } from '../../test/support/test-database.ts';

/** The migrations of the next version: one that expands, one that builds an index, and one that contracts. */
const NEXT = {
  '0901_add.sql': '-- Kind: expand\nalter table posters add column motto text;\n',
  '0902_drop.sql': '-- Kind: contract, serves 9.1.0\nalter table posters drop column motto;\n',
  '0903_index.sql':
    '-- Kind: expand, concurrently\ncreate index concurrently if not exists agents_test on agents (created_at);\n',
};

const folder = await mkdtemp(join(tmpdir(), 'concours-migrations-'));
after(() => rm(folder, { recursive: true }));
await cp(MIGRATIONS, folder, { recursive: true });
for (const [name, sql] of Object.entries(NEXT)) await writeFile(join(folder, name), sql);
const next = { folder, version: '9.1.0', pauseMs: 1 };

const names = (plan: { name: string }[]) => plan.map(({ name }) => name);

describe('the phases of an upgrade', () => {
  it('expands beside the version before, which still starts, and contracts after it, which then refuses', async () => {
    const { db } = await testDatabase();
    assert.deepEqual(names(await planMigrations(db, next)), ['0901_add.sql', '0903_index.sql', '0902_drop.sql']);
    assert.deepEqual(await migrate(db, { ...next, phase: 'expand' }), ['0901_add.sql', '0903_index.sql']);
    assert.deepEqual(await migrate(db), [], 'this version knows neither, and starts');
    assert.deepEqual(names(await planMigrations(db, next)), ['0902_drop.sql']);
    assert.deepEqual(await migrate(db, { ...next, phase: 'contract' }), ['0902_drop.sql']);
    await assert.rejects(migrate(db, { version: '9.0.9' }), {
      message:
        'the database no longer serves version 9.0.9: since the migration 0902_drop.sql it needs version 9.1.0 or a ' +
        'newer one. Start such a version, or restore a backup from before that migration.',
    });
    await assert.rejects(planMigrations(db, { version: '9.0.9' }), /no longer serves version 9\.0\.9/);
    assert.deepEqual(await migrate(db, { version: '9.2.0' }), [], 'a version that the database serves starts');
  });

  it('applies a phase once when several processes migrate at the same time', async () => {
    const { url } = await testDatabase();
    const pools = [1, 2, 3].map(() => createPool({ url, connections: 2 }));
    try {
      const applied = await Promise.all(pools.map((pool) => migrate(pool, next)));
      assert.deepEqual(applied.flat().toSorted(), Object.keys(NEXT));
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });

  it('waits for a lock only shortly, and tries again, so that a long query blocks nobody', async () => {
    const { db, url } = await testDatabase();
    const other = createPool({ url, connections: 1 });
    const held = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const query = other.begin(async (tx) => {
      await tx`select 1 from posters`;
      held.resolve();
      await free.promise;
    });
    await held.promise;
    const done = migrate(db, { ...next, phase: 'expand' });
    // The second try waits for the lock too.
    const tries = async () =>
      (await db`select 1 from pg_locks where not granted and relation = 'posters'::regclass`).length;
    while ((await tries()) === 0);
    while ((await tries()) > 0);
    free.resolve();
    await query;
    await other.end();
    assert.deepEqual(await done, ['0901_add.sql', '0903_index.sql']);
  });

  it('removes the invalid index that a failed build left', async () => {
    const { db } = await testDatabase();
    await db`create index agents_test on agents (created_at)`;
    await db`update pg_index set indisvalid = false where indexrelid = 'agents_test'::regclass`;
    await migrate(db, { ...next, phase: 'expand' });
    const [index] = await db`select indisvalid from pg_index where indexrelid = 'agents_test'::regclass`;
    assert.deepEqual({ ...index }, { indisvalid: true });
  });
});

describe('a role that may only serve', () => {
  it('starts, keeps the partitions, and cannot change the schema or the list of migrations', async () => {
    const { db, url } = await testDatabase();
    const role = `serving_${randomBytes(4).toString('hex')}`;
    await db.unsafe(`create role ${role} login password 'serving'`);
    await assert.rejects(grantServing(db, 'nobody_here'), /the role nobody_here does not exist/);
    await grantServing(db, role);
    const serving = Object.assign(new URL(url), { username: role, password: 'serving' }).toString();
    const pool = createPool({ url: serving, connections: 2 });
    try {
      assert.deepEqual(await prepareDatabase(serving, 'off'), []);
      assert.deepEqual(await prepareDatabase(serving, 'expand'), [], 'nothing is missing');
      const log = { error: assert.fail, info: () => {} };
      const deps = {
        db: pool,
        clock: { now: () => new Date('2031-02-03') },
        config: { webhooks: { retentionDays: 9 } },
      };
      await keepPartitions({ ...deps, log } as unknown as Parameters<typeof keepPartitions>[0]);
      const days = await listPartitions(pool);
      assert.ok(days.includes('webhook_attempts_20310203'), String(days));
      await pool`insert into webhook_attempts (event_id, webhook_id, at, number, outcome, latency_ms)
        values (gen_random_uuid(), gen_random_uuid(), '2031-02-03', 1, 'delivered', 1)`;
      await pool.begin((tx) => dropPartition(tx, 'posters'));
      await pool.begin((tx) => dropPartition(tx, 'webhook_attempts_other'));
      await pool.begin((tx) => dropPartition(tx, 'webhook_attempts_20310203'));
      assert.deepEqual(
        await listPartitions(pool),
        days.filter((name) => name !== 'webhook_attempts_20310203'),
      );
      const denied = { code: '42501' };
      for (const act of [
        'create table mine (id int)',
        'alter table posters add column mine int',
        'drop table posters',
        'truncate agents',
        "insert into migrations (name, hash) values ('9999', 'x')",
        "update migrations set lowest_code = '0.0.1'",
      ])
        await assert.rejects(async () => await pool.unsafe(act), denied, act);
      // PostgreSQL only warns about rights that it does not grant.
      await assert.rejects(grantServing(pool, 'pg_monitor'), /connect as a role that owns the tables/);
    } finally {
      await pool.end();
      await db.unsafe(`drop owned by ${role}`);
      await db.unsafe(`drop role ${role}`);
    }
  });

  it('refuses a start without a migration that it may not apply, and says what to run', async () => {
    const { url } = await testDatabase({ last: '0032_grace_and_ended_requests.sql' });
    await assert.rejects(
      prepareDatabase(url, 'off'),
      /the database lacks .*0035_serving\.sql.*\. Run `concours-server migrate/,
    );
    assert.ok((await prepareDatabase(url, 'expand')).includes('0035_serving.sql'));
    assert.deepEqual(await prepareDatabase(url, 'off'), []);
  });
});

it('compares versions by their numbers', () => {
  assert.deepEqual(
    [isOlder('0.9.0', '0.10.0'), isOlder('1.0.0', '0.10.0'), isOlder('0.2.0', '0.2.0'), isOlder('0.2.0-dev', '0.2.0')],
    [true, false, false, false],
  );
});

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MIGRATIONS } from '../../server/db/migration-files.ts';
import { createPool } from '../../server/db/pool.ts';
import { startScript, until } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';

// SIGKILL ends a process that migrates: inside a migration, after the one before it has committed, and while an index is
// built concurrently. The next run goes on where it stopped, also if two processes run it at once.

const NEXT = {
  '0901_first.sql': '-- Kind: expand\nalter table posters add column first text;\n',
  '0902_second.sql':
    '-- Kind: expand\nalter table posters add column second text;\nalter table agents add column second text;\n',
  '0903_index.sql':
    '-- Kind: expand, concurrently\ncreate index concurrently if not exists agents_third on agents (created_at);\n',
};

const folder = await mkdtemp(join(tmpdir(), 'concours-migrations-'));
after(() => rm(folder, { recursive: true }));
await cp(MIGRATIONS, folder, { recursive: true });
for (const [name, sql] of Object.entries(NEXT)) await writeFile(join(folder, name), sql);

const { db, url } = await testDatabase();
const start = () => startScript('test/support/processes/migrating.ts', [url, folder]);
const lastApplied = async () => {
  const [row] = await db<{ name: string }[]>`select max(name) as name from migrations`;
  return row?.name;
};

/** Opens a transaction that has read a table, and keeps its snapshot. Returns the function that ends it. */
async function readerOf(table: string): Promise<() => Promise<void>> {
  const pool = createPool({ url, connections: 1 });
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reading = pool.begin('isolation level repeatable read', async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`select 1 from ${tx(table)}`;
    held.resolve();
    await free.promise;
  });
  await held.promise;
  return async () => {
    free.resolve();
    await reading;
    await pool.end();
  };
}

const columnsOf = async (table: string) => {
  const rows = await db<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = ${table} and column_name in ('first', 'second') order by 1`;
  return rows.map(({ name }) => name);
};
const indexState = async () => {
  const [row] = await db<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass('agents_third')`;
  return row?.valid;
};

describe('a process that is killed while it migrates', () => {
  it('leaves the migrations before, and nothing of the one that it was in', async () => {
    const release = await readerOf('agents');
    const running = start();
    await until('the second migration waits for a lock', async () => {
      const waiting = await db`select 1 from pg_locks where not granted and relation = 'agents'::regclass`;
      return waiting.length > 0;
    });
    await running.kill('SIGKILL');
    await release();
    // PostgreSQL ends the waiting statement when it gets its lock, or when that takes too long.
    await until('the end of its transaction', async () => {
      const [row] = await db<{ count: number }[]>`
        select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = 7266427`;
      return row?.count === 0;
    });
    assert.equal(await lastApplied(), '0901_first.sql', running.output());
    assert.deepEqual([await columnsOf('posters'), await columnsOf('agents')], [['first'], []]);
  });

  it('leaves an invalid index, which two processes at once replace', async () => {
    // The build waits for every older snapshot, also for that of a reader of another table.
    const release = await readerOf('webhooks');
    const running = start();
    await until('the index is being built', async () => (await indexState()) === false);
    await running.kill('SIGKILL');
    assert.equal(await lastApplied(), '0902_second.sql', running.output());
    const both = [start(), start()];
    await release();
    const codes = await Promise.all(both.map(({ ended }) => ended));
    assert.deepEqual(codes, [0, 0], both.map(({ output }) => output()).join('\n'));
    assert.deepEqual(both.map(({ output }) => output().trim()).toSorted(), ['', '0903_index.sql']);
    assert.deepEqual([await indexState(), await lastApplied()], [true, '0903_index.sql']);
    assert.deepEqual([await columnsOf('posters'), await columnsOf('agents')], [['first', 'second'], ['second']]);
  });
});

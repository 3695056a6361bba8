import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { createPool } from './pool.ts';
import { prepareDatabase } from './prepare.ts';
import { requireDurableCommits } from './time-limits.ts';
import { withTransaction } from './transaction.ts';

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
    await prepareDatabase(url, 'off');
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

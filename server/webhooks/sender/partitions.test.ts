import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/processes/processes.ts';
import { keepPartitions } from './partitions.ts';

const DAY_MS = 86_400_000;
const { db } = await testDatabase();

/** Keeps partitions as of the time `ahead`. Returns what the job logged as an error. */
async function keep(ahead: number): Promise<unknown[]> {
  const failures: unknown[] = [];
  await keepPartitions({
    db,
    clock: { now: () => new Date(Date.now() + ahead) },
    config: { webhooks: { retentionDays: 30 } },
    log: { info: () => {}, error: (failure: unknown) => failures.push(failure) },
  } as unknown as Parameters<typeof keepPartitions>[0]);
  return failures;
}

async function partitions(): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_class where relname ~ '^webhook_(attempts|retries)_[0-9]{8}$' order by 1`;
  return rows.map(({ name }) => name);
}

it('creates the partitions of a day while a reader reads first the one table and then the other', async () => {
  for (const [days, [first, second]] of [
    [10, ['webhook_attempts_other', 'webhook_retries_other']],
    [20, ['webhook_retries_other', 'webhook_attempts_other']],
  ] as const) {
    const before = await partitions();
    const reader = await db.reserve();
    await reader`begin`;
    await reader`select 1 from ${reader(first)}`;
    const kept = keep(days * DAY_MS);
    await until('the job waits for the reader', async () => {
      const waiting = await db`
        select 1 from pg_locks where not granted and relation = ${first}::regclass
          and database = (select oid from pg_database where datname = current_database())`;
      return waiting.length > 0;
    });
    // Fails at once if the job holds this table while it waits for the first.
    await reader`lock table ${reader(second)} in access share mode nowait`;
    await reader`commit`;
    reader.release();
    assert.deepEqual(await kept, []);
    // Six days of both tables.
    assert.equal((await partitions()).length, before.length + 12);
  }
});

it('creates the partition that is missing if only the other table has the day', async () => {
  assert.deepEqual(await keep(0), []);
  const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  for (const table of ['webhook_retries', 'webhook_attempts']) {
    const all = await partitions();
    await db`drop table ${db(`${table}_${day}`)}`;
    assert.deepEqual(await keep(0), []);
    assert.deepEqual(await partitions(), all);
  }
});

it('gives each partition the bounds that the older function gives', async () => {
  const bounds = async () =>
    await db`
      select relname, pg_get_expr(relpartbound, oid) as bounds from pg_class
      where relname in ('webhook_attempts_20300102', 'webhook_retries_20300102') order by 1`;
  await db`select webhook_partition('webhook_attempts', '2030-01-02'), webhook_partition('webhook_retries', '2030-01-02')`;
  const given = await bounds();
  await db`drop table webhook_attempts_20300102, webhook_retries_20300102`;
  await db`select webhook_partitions('2030-01-02', 1)`;
  assert.equal(given.length, 2);
  assert.deepEqual(given, await bounds());
  // A process of either version finds the partitions of the other.
  await db`select webhook_partition('webhook_attempts', '2030-01-02'), webhook_partitions('2030-01-02', 1)`;
});

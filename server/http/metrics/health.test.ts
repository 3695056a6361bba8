import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { createPool } from '../../db/pool.ts';
import { createProbes } from './health.ts';

it('an answer about the parts holds for a second, because anybody may ask and each call to a node costs', async () => {
  let asked = 0;
  const check = async () => void (asked += 1);
  const pool = async () => [];
  const deps = { db: pool, reads: pool, anonymous: null, storage: { check }, chain: { check }, facilitator: { check } };
  const probes = createProbes({ ...deps, treasury: {} } as unknown as Parameters<typeof createProbes>[0]);
  for (let count = 0; count < 50; count += 1) assert.equal((await probes()).chain?.up, true);
  assert.equal(asked, 3);
});

it('a replica is down when it has replayed nothing for a minute', async () => {
  const { db, url } = await testDatabase({ empty: true });
  // PostgreSQL prefers its own functions only where the path does not name them.
  await db.unsafe(`
    create schema standby;
    create table standby.replayed (at timestamptz);
    create function standby.pg_is_in_recovery() returns boolean language sql as 'select true';
    create function standby.pg_last_xact_replay_timestamp() returns timestamptz language sql as 'select max(at) from standby.replayed'`);
  const reads = createPool({ url: `${url}?options=-c%20search_path=standby,pg_catalog`, connections: 1 });
  const check = async () => {};
  const parts = { db, reads: db, storage: { check }, chain: { check }, facilitator: { check }, treasury: {} };
  const isUp = async (pool: typeof db) => {
    const probes = createProbes({ ...parts, anonymous: { reads: pool } } as unknown as Parameters<
      typeof createProbes
    >[0]);
    return (await probes()).replicas?.up;
  };
  assert.equal(await isUp(db), true, 'no replica');
  assert.equal(await isUp(reads), true, 'nothing to replay yet');
  await db`insert into standby.replayed values (now() - interval '61 seconds')`;
  assert.equal(await isUp(reads), false);
  await db`insert into standby.replayed values (now() - interval '5 seconds')`;
  assert.equal(await isUp(reads), true);
  await reads.end();
});

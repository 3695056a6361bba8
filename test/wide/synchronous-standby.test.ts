import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
import { withTransaction } from '../../server/db/transaction.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import type { Tx } from '../../server/ports/database.ts';
import { call } from '../support/clients/client.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { debianPostgres, postgresClusters } from '../support/servers/postgres-cluster.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A commit waits for its synchronous standby. While the standby is away, nothing may be acknowledged: not after the time limit
// of statements, and not after somebody canceled the wait, which PostgreSQL reports as a success with a warning.

const bin = await debianPostgres();
const skip = bin !== null || process.env['CI'] ? false : 'needs the PostgreSQL of Debian';
/** `setTimeLimits` sets the limit of the service's role; this one is shorter. */
const LIMIT_MS = 100;
const NEWCOMER = {
  agent_name: 'Newcomer',
  description: 'Registers while the synchronous standby is away.',
  specializations: ['logo-design'],
};

describe('a commit that waits for its synchronous standby', { skip }, async () => {
  assert.ok(bin, 'CI must provide the PostgreSQL of Debian');
  const clusters = await postgresClusters(bin);
  const settings = ['wal_level=replica', 'hot_standby=on', 'max_connections=100'];
  const primary = await clusters.start(await clusters.create('primary', settings), await freePort());
  const data = await clusters.backUp(primary, 'standby');
  const source = `host=127.0.0.1 port=${primary.port} user=concours application_name=standby`;
  await appendFile(join(data, 'postgresql.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(data, 'standby.signal'), '', { mode: 0o644 });
  const standbyPort = await freePort();
  let standby = await clusters.start(data, standbyPort);
  // A commit of its own would wait, too.
  const parameters = { synchronous_commit: 'local' };
  const admin = createPool({ url: primary.url, connections: 1, parameters });
  const standAlone = async () => {
    await admin`alter system reset synchronous_standby_names`;
    await admin`select pg_reload_conf()`;
  };
  // Hooks run in the order of their registration: the world could not end while its commits wait.
  after(standAlone);
  const world = await startWorld({ databaseUrl: primary.url });
  await admin`create database marks`;
  // The jobs of the service commit in the other database.
  const hasty = createPool({
    url: primary.url.replace(/[^/]+$/, 'marks'),
    connections: 2,
    parameters: { statement_timeout: `${LIMIT_MS}ms` },
  });
  after(async () => {
    await Promise.all([admin.end({ timeout: 1 }), hasty.end({ timeout: 1 })]);
    await clusters.remove();
  });
  await hasty`create table marks (name text primary key)`;
  await admin`alter system set synchronous_standby_names = 'standby'`;
  await admin`select pg_reload_conf()`;
  await until('a synchronous standby', async () => {
    const [row] = await admin`select 1 from pg_stat_replication where sync_state = 'sync'`;
    return row !== undefined;
  });

  const mark = (name: string) => (tx: Tx) => tx`insert into marks (name) values (${name})`;
  /** The number of commits of `hasty` that have waited for as long. */
  const waiting = async (sinceMs = 0) => {
    const rows = await admin`
      select 1 from pg_stat_activity
      where wait_event = 'SyncRep' and datname = 'marks'
        and clock_timestamp() - query_start > ${sinceMs} * interval '1 millisecond'`;
    return rows.length;
  };
  const cancelAll = () => admin`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;

  it('outlasts statement_timeout, in a transaction and alone, and ends when the standby is back', async () => {
    await standby.stop();
    const ended: string[] = [];
    const commits = [
      withTransaction(hasty, mark('in a transaction')).finally(() => ended.push('in a transaction')),
      hasty`insert into marks (name) values ('alone')`.finally(() => ended.push('alone')),
    ];
    await until('both wait for longer than the limit', async () => (await waiting(3 * LIMIT_MS)) === 2);
    assert.deepEqual(ended, []);
    standby = await clusters.start(data, standbyPort);
    await Promise.all(commits);
  });

  it('is no success when somebody cancels the wait', async () => {
    await standby.stop();
    const told: string[] = [];
    const commits = [
      withTransaction(hasty, mark('canceled in a transaction'), { afterCommit: () => told.push('committed') }),
      hasty`insert into marks (name) values ('canceled alone')`,
    ];
    const refused = Promise.all(
      commits.map((commit) => assert.rejects(commit, { severity: 'WARNING', routine: 'SyncRepWaitForLSN' })),
    );
    await until('both wait', async () => (await waiting()) === 2);
    await cancelAll();
    await refused;
    assert.deepEqual(told, []);
    // The connections are good: what comes next on them waits again, and reads work.
    const [row] = await hasty`select count(*)::integer as count from marks`;
    assert.equal(row?.['count'], 4);
    standby = await clusters.start(data, standbyPort);
    await withTransaction(hasty, mark('after it'));
  });

  it('is answered with 503 and Retry-After, and the repeated request with the first result', async () => {
    await standby.stop();
    const request = { body: NEWCOMER, headers: { 'idempotency-key': 'a-commit-without-a-standby' } };
    const asked = call(world.url, 'POST', '/agents/create', request);
    let answer: Awaited<typeof asked> | null = null;
    void asked.then((got) => (answer = got));
    await until('its commit is canceled', async () => {
      await cancelAll();
      return answer !== null;
    });
    const first = await asked;
    assert.deepEqual([first.status, first.body.error.code], [503, 'DATABASE_ERROR']);
    assert.ok(Number(first.headers.get('retry-after')) > 0);
    standby = await clusters.start(data, standbyPort);
    const [{ count }] = await admin<[{ count: number }]>`select count(*)::integer as count from agents`;
    const again = await call(world.url, 'POST', '/agents/create', request);
    assert.equal(again.status, 201, JSON.stringify(again.body));
    const [later] = await admin<[{ count: number }]>`select count(*)::integer as count from agents`;
    assert.deepEqual([count, later.count], [1, 1]);
  });

  it('has nothing acknowledged that the standby lacks when it takes over', async () => {
    const { id } = await registerAgent(world.url);
    await clusters.program('pg_ctl', ['promote', '-w', '-D', data]);
    await standAlone();
    const promoted = createPool({ url: standby.url.replace(/[^/]+$/, 'marks'), connections: 1 });
    const marks = await promoted<{ name: string }[]>`select name from marks`;
    assert.ok(['in a transaction', 'alone', 'after it'].every((name) => marks.some((row) => row.name === name)));
    const agents = createPool({ url: standby.url, connections: 1 });
    assert.equal((await agents`select 1 from agents where id = ${id}`).length, 1);
    await Promise.all([promoted.end({ timeout: 1 }), agents.end({ timeout: 1 })]);
  });
});

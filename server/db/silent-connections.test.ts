import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startRelay } from '../../test/support/servers/relay.ts';
import { until } from '../../test/support/processes/processes.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { workingProcesses } from './ask-server.ts';
import { createPool } from './pool.ts';
import type { SilentConnectionLimit } from './silent-connections.ts';
import { withTransaction } from './transaction.ts';

const TURN_MS = 10;
const FAR_MS = 60_000;

const { db: direct, url } = await testDatabase();
const relay = await startRelay(Number(new URL(url).port));
const relayed = new URL(url);
relayed.port = String(relay.port);
await direct`create table written (n integer primary key)`;
await direct.unsafe(`
  create table slowly_committed (n integer);
  create function wait_at_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(42); return null; end $$;
  create constraint trigger wait_at_commit after insert on slowly_committed deferrable initially deferred
    for each row execute function wait_at_commit()`);

const working = (pids: number[]) => workingProcesses(url, pids);

function pool(unanswered: Omit<SilentConnectionLimit, 'turnMs'>) {
  const db = createPool({ url: relayed.href, connections: 1, unanswered: { ...unanswered, turnMs: TURN_MS } });
  after(() => db.end({ timeout: 0 }));
  return db;
}

const LOST = { code: 'CONNECTION_CLOSED' };

describe('a connection that stops answering', () => {
  it('is closed when the server works on nothing, and the next statement gets a new connection', async () => {
    const db = pool({ limitMs: FAR_MS, working });
    for (let round = 0; round < 3; round += 1) {
      await db`select 1`;
      relay.freeze();
      await assert.rejects(db`select 1`, LOST);
    }
    assert.equal((await db`select 1`).length, 1);
  });

  it('is closed in the middle of a transaction, of which nothing is written', async () => {
    const db = pool({ limitMs: FAR_MS, working });
    const writing = withTransaction(db, async (tx) => {
      await tx`insert into written values (1)`;
      relay.freeze();
      await tx`insert into written values (2)`;
    });
    await assert.rejects(writing, LOST);
    // The server hears that the connection has ended, and frees the lock of the row.
    await relay.mend();
    await withTransaction(db, (tx) => tx`insert into written values (1)`);
    assert.deepEqual([...(await db`select n from written`)], [{ n: 1 }]);
  });

  it('is closed when the answer to a commit is lost: it is committed, and not repeated', async () => {
    const db = pool({ limitMs: FAR_MS, working });
    let runs = 0;
    const write = () =>
      withTransaction(db, async (tx) => {
        runs += 1;
        await tx`insert into slowly_committed values (1)`;
      });
    const { lost } = await direct.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(42)`;
      const writing = assert.rejects(write(), LOST);
      await until('the commit is under way', async () => {
        const waiting = await direct`
          select from pg_locks where locktype = 'advisory' and not granted and database = (
            select oid from pg_database where datname = current_database())`;
        return waiting.length > 0;
      });
      relay.freeze();
      return { lost: writing };
    });
    await lost;
    assert.equal((await direct`select n from slowly_committed`).length, 1);
    assert.equal(runs, 1);
    await relay.mend();
  });

  it('takes the idle connections of other pools with it, so that each request waits once', async () => {
    const peers: SilentConnectionLimit['peers'] = new Set();
    const [first, second] = [pool({ limitMs: FAR_MS, working, peers }), pool({ limitMs: FAR_MS, working, peers })];
    await Promise.all([first`select 1`, second`select 1`]);
    relay.freeze();
    await assert.rejects(first`select 1`, LOST);
    assert.equal((await second`select 1`).length, 1);
    await relay.mend();
  });

  it('is closed at its limit where nobody can tell whether the server works', async () => {
    for (const asking of [{}, { working: () => Promise.reject(new Error('the server is away')) }]) {
      const db = pool({ limitMs: 20 * TURN_MS, ...asking });
      await db`select 1`;
      relay.freeze();
      await assert.rejects(db`select 1`, LOST);
    }
  });
});

it('a slow statement keeps its connection until the limit', async () => {
  let asked = 0;
  const watched = pool({ limitMs: FAR_MS, working: (pids) => ((asked += 1), working(pids)) });
  assert.equal((await watched`select pg_sleep(${(40 * TURN_MS) / 1000})`).length, 1);
  assert.ok(asked >= 1);
  const limited = pool({ limitMs: 30 * TURN_MS, working });
  await assert.rejects(limited`select pg_sleep(30)`, LOST);
});

it('a statement that waits for a lock works, and its client waits for its server', async () => {
  const [{ pid } = { pid: 0 }] = await direct<{ pid: number }[]>`select pg_backend_pid() as pid`;
  assert.deepEqual(await working([pid, 1]), new Set());
  const db = pool({ limitMs: FAR_MS, working });
  await direct.begin(async (tx) => {
    await tx`lock table written`;
    const waiting = db<{ pid: number }[]>`select pg_backend_pid() as pid from written limit 1`;
    void waiting.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 30 * TURN_MS));
    const rows = await tx<{ n: number }[]>`
      select count(*)::integer as n from pg_stat_activity where wait_event_type = 'Lock' and state = 'active'`;
    assert.ok((rows[0]?.n ?? 0) >= 1);
  });
});

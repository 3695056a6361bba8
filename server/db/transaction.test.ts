import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { it, after, mock } from 'node:test';
import { askDatabase, createBreaker } from './breaker.ts';
import type { Queryable } from './database.ts';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { ConnectionLost, DatabaseError, NoConnection } from './errors.ts';
import { withTransaction } from './transaction.ts';
import { until } from '../../test/support/processes/processes.ts';

const { url } = await testDatabase();
const admin = createPool({ url, connections: 1 });
const db = createPool({ url, connections: 1 });
await admin`create table notes (note text)`;
after(() => Promise.all([admin, db].map((pool) => pool.end({ timeout: 1 }))));

const LOST = (error: unknown) =>
  error instanceof ConnectionLost || (error instanceof DatabaseError && error.code === '57P01');
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

it('a transaction that the work refuses writes nothing, and keeps its connection', async () => {
  const pool = createPool({ url, connections: 1 });
  const backend = async () => (await pool<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid;
  const before = await backend();
  const refused = withTransaction(pool, async (tx) => {
    await tx`insert into notes values ('refused')`;
    throw new RangeError('refused');
  });
  await assert.rejects(refused, /refused/);
  assert.deepEqual([await backend(), await notes()], [before, []]);
  await pool.end();
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

it('no statement slips into another transaction when its own connection is cut', async () => {
  const pool = createPool({ url, connections: 2 });
  const cut = assert.rejects(
    withTransaction(pool, async (tx) => {
      const [{ pid }] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`;
      await tx`insert into notes values ('lost')`;
      await endBackend(pid);
      // The pool has replaced the connection by now.
      await Promise.all([pool`select 1`, withTransaction(pool, (next) => next`insert into notes values ('next')`)]);
      await tx`insert into notes values ('late')`;
    }),
    LOST,
  );
  await cut;
  await pool.end();
  assert.deepEqual(await notes(), ['next']);
});

it('no statement slips out of a transaction that failed, or that did not wait for it', async () => {
  await admin`create table slips (by text)`;
  const gate = Promise.withResolvers<void>();
  const failing = withTransaction(db, (tx) =>
    Promise.all([
      tx`insert into slips values ('before the failure')`,
      // Its caller learns of the failure later than the next statement's caller learns of the refusal.
      (async () => await (async () => await tx`select 1 / 0`)())(),
      tx`insert into slips values ('behind the failure')`,
      gate.promise.then(() => tx`insert into slips values ('after the end')`),
    ]),
  );
  const others = [
    db`insert into slips values ('alone')`,
    withTransaction(db, (tx) => tx`insert into slips values ('next')`),
  ];
  await assert.rejects(failing, /division by zero/);
  gate.resolve();
  await Promise.all(others);
  const over = Promise.withResolvers<void>();
  let late: Promise<unknown> = Promise.resolve();
  await withTransaction(db, async (tx) => {
    // In time for the commit, which waits for it.
    tx`insert into slips values ('not awaited')`.catch(() => {});
    late = over.promise.then(() => tx`insert into slips values ('too late')`);
    await tx`select 1`;
  });
  over.resolve();
  await assert.rejects(late, /after the end of its transaction/);
  await assert.rejects(
    withTransaction(db, async (tx) => {
      tx`insert into slips values ('with a failure')`.catch(() => {});
      tx`select 2 / 0`.catch(() => {});
      return await Promise.resolve('done');
    }),
    /division by zero/,
  );
  const lent = Promise.withResolvers<void>();
  const together = db.together((tag) => {
    late = lent.promise.then(() => tag`insert into slips values ('too late')`);
    return Promise.all([tag`insert into slips values ('together')`, tag`select 3 / 0`]);
  });
  await assert.rejects(together, /division by zero/);
  lent.resolve();
  await assert.rejects(late, /after the end of its transaction/);
  const found = await db<{ by: string }[]>`select by from slips order by by`;
  assert.deepEqual(
    found.map(({ by }) => by),
    ['alone', 'next', 'not awaited', 'together'],
  );
});

it('statements that one turn sends share a round trip', async () => {
  const { hostname, port } = new URL(url);
  const seen: { from: 'client' | 'server'; text: string }[] = [];
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on('data', (bytes) => seen.push({ from: 'client', text: bytes.toString('latin1') })).pipe(server);
    server.on('data', (bytes) => seen.push({ from: 'server', text: bytes.toString('latin1') })).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const through = new URL(url);
  Object.assign(through, { hostname: '127.0.0.1', port: String((relay.address() as AddressInfo).port) });
  const pool = createPool({ url: through.href, connections: 1 });
  const ask = async (tag: Queryable) => {
    const asked = [1, 2, 3].map((n) => tag`select ${n}::integer as n, 'asked' as "column"`);
    assert.deepEqual(
      (await Promise.all(asked)).flat(),
      [1, 2, 3].map((n) => ({ n, column: 'asked' })),
    );
    const first = seen.findIndex(({ from, text }) => from === 'server' && text.includes('asked'));
    const sent = seen.slice(0, first).filter(({ from }) => from === 'client');
    // Three executions, in the last write before the first answer.
    assert.equal((sent.at(-1)?.text.split('E\0\0\0\t\0').length ?? 0) - 1, 3);
    seen.length = 0;
  };
  await withTransaction(pool, ask);
  await pool.together(ask);
  await pool.end();
  relay.close();
});

it('a statement without a free connection fails in time, and never runs', async () => {
  const limited = createPool({ url, connections: 1 });
  const [taken, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = withTransaction(limited, async (tx) => {
    await tx`select 1`;
    taken.resolve();
    await end.promise;
  });
  await taken.promise;
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const waiting = [
      assert.rejects(
        withTransaction(limited, (tx) => tx`insert into notes values ('transaction')`),
        NoConnection,
      ),
      assert.rejects(limited`insert into notes values ('statement')`, NoConnection),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(limited.waitedMs() > 0);
    mock.timers.tick(5_000);
    await Promise.all(waiting);
  } finally {
    mock.timers.reset();
    end.resolve();
  }
  await holder;
  assert.equal(limited.waitedMs(), 0);
  await limited.end();
  assert.deepEqual(await notes(), ['next']);
});

it('the pool of reads refuses to write, and ends what takes too long', async () => {
  const reads = createPool({ url, connections: 1, readOnlyForMs: 200 });
  try {
    await assert.rejects(reads`insert into notes values ('view')`, { code: '25006' });
    await assert.rejects(reads`select pg_sleep(5)`, { code: '57014' });
    const silent = createPool({ url, connections: 1, answerMs: 200 });
    await assert.rejects(silent`select pg_sleep(5)`, ConnectionLost);
    assert.deepEqual(await silent`select 1 as one`, [{ one: 1 }]);
    await silent.end();
  } finally {
    await reads.end();
  }
});

it('a database without a free connection serves, one that takes no writes does not, and the log says so once', async () => {
  const role = `asking_${new URL(url).pathname.slice(1)}`;
  await admin.unsafe(`create role ${role} login password 'x' connection limit 0`);
  const asked = Object.assign(new URL(url), { username: role, password: 'x' });
  const lines: string[] = [];
  const breaker = createBreaker(askDatabase(asked.href), {
    error: ({ err }: { err: Error }) => void lines.push(err.message),
    info: (line: string) => void lines.push(line),
  } as Parameters<typeof createBreaker>[1]);
  try {
    assert.equal(await breaker.probe(), true);
    await admin.unsafe(`
      alter role ${role} connection limit -1;
      alter role ${role} set default_transaction_read_only = on`);
    assert.deepEqual([await breaker.probe(), await breaker.probe(), breaker.isOpen()], [false, false, true]);
    await admin.unsafe(`alter role ${role} reset default_transaction_read_only`);
    await until('the breaker closes', async () => !breaker.isOpen());
    assert.deepEqual(lines, ['the database takes no writes', 'the database serves again']);
  } finally {
    breaker.stop();
    await admin.unsafe(`drop role ${role}`);
  }
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { until } from '../../test/support/processes/processes.ts';

// The driver reuses the object of a lost connection for the next one. Nothing of the lost one may reach it (patches/README.md).

const { url } = await testDatabase();
const admin = createPool({ url, connections: 1 });
await admin`create table notes (note text)`;

/** Ends the server process of the only connection of a pool, as a failover does. */
async function endBackend(pid: number): Promise<void> {
  await admin`select pg_terminate_backend(${pid})`;
  await until('the server process ends', async () => {
    const left = await admin`select 1 from pg_stat_activity where pid = ${pid}`;
    return left.length === 0;
  });
}

const sockets = new Set<Socket>();
const line = createServer((near) => {
  const { hostname, port } = new URL(url);
  const far = connect(Number(port), hostname);
  near.pipe(far).pipe(near);
  for (const socket of [near, far]) socket.on('error', () => {});
  near.on('close', () => far.destroy());
  sockets.add(near);
}).listen(0, '127.0.0.1');
await once(line, 'listening');
const throughLine = new URL(url);
throughLine.port = String((line.address() as AddressInfo).port);

const pools = [admin];
function poolOfOne(at: string) {
  const db = createPool({ url: at, connections: 1 });
  pools.push(db);
  return db;
}
after(async () => {
  await Promise.all(pools.map((db) => db.end({ timeout: 1 })));
  line.close();
});

const LOST = /CONNECTION_CLOSED|ECONNRESET|EPIPE/;

/** Rejects if the connection is of no use any more: its opening would end after 5 s. */
async function assertWorks(db: ReturnType<typeof poolOfOne>): Promise<void> {
  const [row] = await db<{ one: number }[]>`select 1 as one`;
  assert.equal(row?.one, 1);
}

/** Works like `assertWorks`, when a statement may still meet the connection that is being closed. */
async function assertWorksAgain(db: ReturnType<typeof poolOfOne>): Promise<void> {
  await until('the connection works', async () => {
    const worked = assertWorks(db).then(() => true);
    return await worked.catch((error: unknown) => {
      assert.match(String(error), LOST);
      return false;
    });
  });
}

describe('after a connection was lost', () => {
  it('the next statement does not get its error', async () => {
    const db = poolOfOne(url);
    const [{ pid }] = await db<[{ pid: number }]>`select pg_backend_pid() as pid`;
    const lost = assert.rejects(db`select pg_sleep(30)`, { code: 'CONNECTION_CLOSED' });
    await until('the statement runs', async () => {
      const running = await admin`select 1 from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`;
      return running.length === 1;
    });
    await endBackend(pid);
    await lost;
    await assertWorks(db);
  });

  for (const how of ['destroy', 'resetAndDestroy'] as const)
    it(`a statement that was about to be sent does not keep the next connection from opening (${how})`, async () => {
      const db = poolOfOne(throughLine.toString());
      for (let round = 0; round < 20; round += 1) {
        await assertWorksAgain(db);
        // The driver writes small statements at the end of a turn, and the end of the connection arrives in one before it.
        const statements = setInterval(() => void db`select 1`.catch(() => {}), 0);
        for (const socket of sockets) socket[how]();
        sockets.clear();
        await new Promise((resolve) => setTimeout(resolve, 5));
        clearInterval(statements);
      }
      await assertWorksAgain(db);
    });

  it('a statement between the failure and the close of the connection settles', async () => {
    const db = poolOfOne(throughLine.toString());
    for (let round = 0; round < 5; round += 1) {
      const failing = db.begin(async (tx) => {
        await tx`select 1`;
        setImmediate(() => {
          for (const socket of sockets) socket.resetAndDestroy();
          sockets.clear();
        });
        // The driver sends ROLLBACK when this rejects.
        await tx`select pg_sleep(5)`;
      });
      await assert.rejects(failing, LOST);
      await assertWorks(db);
    }
  });

  it('what its transaction still does, does not happen in the next transaction', async () => {
    const db = poolOfOne(url);
    const isLost = Promise.withResolvers<void>();
    const isNext = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    const failing = db.begin(async (tx) => {
      const [{ pid }] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`;
      await tx`insert into notes values ('lost')`;
      await endBackend(pid);
      isLost.resolve();
      await isNext.promise;
      await assert.rejects(tx`insert into notes values ('late')`.finally(isOver.resolve), {
        code: 'CONNECTION_CLOSED',
      });
    });
    await Promise.all([assert.rejects(failing, { code: 'CONNECTION_CLOSED' }), isLost.promise]);
    await db.begin(async (tx) => {
      await tx`insert into notes values ('next')`;
      isNext.resolve();
      await isOver.promise;
    });
    assert.deepEqual([...(await db`select note from notes`)], [{ note: 'next' }]);
  });
});

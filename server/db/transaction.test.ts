import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, it } from 'node:test';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from './transaction.ts';

const { url } = await testDatabase();
const target = new URL(url);

/** A line to the database that ends as a server's does which is gone: each connection closes, in order. */
const sockets = new Set<Socket>();
const line = createServer((near) => {
  const far = connect(Number(target.port), target.hostname);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('data', (chunk: Buffer) => to.write(chunk));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
  }
  sockets.add(near);
}).listen(0, '127.0.0.1');
await once(line, 'listening');
const throughLine = new URL(url);
throughLine.port = String((line.address() as AddressInfo).port);
const db = createPool({ url: throughLine.toString(), connections: 1 });
after(async () => {
  await db.end({ timeout: 1 });
  line.close();
});

function hangUp(): void {
  for (const socket of sockets) socket.end();
  sockets.clear();
}

for (const [when, statements] of Object.entries({ 'is waiting for an answer': 1, 'sends several statements': 3 })) {
  // An error that nobody can catch fails the file.
  it(`a transaction that loses its connection while it ${when} fails, and the next one works`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const failing = withTransaction(db, async (tx) => {
        await tx`select 1`;
        const sleeping = Array.from({ length: statements }, () => tx`select pg_sleep(5)`);
        setImmediate(hangUp);
        return await Promise.all(sleeping);
      });
      await assert.rejects(failing, /CONNECTION_CLOSED|ECONNRESET|EPIPE/);
      const [row] = await withTransaction(db, (tx) => tx<{ one: number }[]>`select 1 as one`);
      assert.equal(row?.one, 1);
    }
  });
}

it('a statement that fails still ends its transaction alone', async () => {
  await assert.rejects(
    withTransaction(db, (tx) => tx`select 1 / 0`),
    /division by zero/,
  );
  const [row] = await db<{ one: number }[]>`select 1 as one`;
  assert.equal(row?.one, 1);
});

it('calls afterCommit once, with the result of the attempt that was committed', async () => {
  await db`create table counted (n integer)`;
  const called: { result: number; attempts: number }[] = [];
  let attempts = 0;
  const counting = withTransaction(
    db,
    async (tx) => {
      attempts += 1;
      await tx`insert into counted values (${attempts})`;
      if (attempts < 3) await tx`do $$ begin raise exception 'a lost race' using errcode = '40001'; end $$`;
      return attempts;
    },
    { afterCommit: (result) => void called.push({ result, attempts }) },
  );
  assert.equal(await counting, 3);
  assert.deepEqual(called, [{ result: 3, attempts: 3 }]);
  assert.deepEqual([...(await db`select n from counted`)], [{ n: 3 }]);
});

it('does not call afterCommit when the transaction fails', async () => {
  const afterCommit = () => assert.fail('nothing was committed');
  await assert.rejects(
    withTransaction(db, (tx) => tx`select 1 / 0`, { afterCommit }),
    /division by zero/,
  );
});

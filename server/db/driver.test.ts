import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { postgres } from './driver.ts';
import { applyPatch } from './patch.ts';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';

type Queue = { length: number; push(item: number): number; shift(): number | undefined; remove(item: number): unknown };
type MakeQueue = (initial?: number[]) => Queue;

const load = createRequire(import.meta.url);
const folder = join(dirname(load.resolve('postgres')), '..', '..');
assert.equal(typeof postgres, 'function', 'driver.ts has loaded the driver');
/** The module that driver.ts has loaded and patched. */
const patchedQueue = load(join(folder, 'cjs', 'src', 'queue.js')) as MakeQueue;
/** The module as npm installed it: the ES module build, which driver.ts does not load. */
const { default: originalQueue } = (await import(pathToFileURL(join(folder, 'src', 'queue.js')).href)) as {
  default: MakeQueue;
};

describe('the patched queue of postgres.js', () => {
  it('returns items in order and forgets removed items', () => {
    const steps = fc.array(
      fc.record({ step: fc.constantFrom('push', 'shift', 'remove'), item: fc.integer({ min: 0, max: 99 }) }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 99 })), steps, (initial, taken) => {
        const queue = patchedQueue(initial);
        let expected = [...initial];
        for (const { step, item } of taken) {
          if (step === 'push') {
            assert.equal(queue.push(item), item);
            expected.push(item);
          } else if (step === 'shift') {
            assert.equal(queue.shift(), expected[0]);
            expected = expected.slice(1);
          } else {
            const at = expected.indexOf(item);
            assert.equal(queue.remove(item), at === -1 ? null : item);
            if (at !== -1) expected.splice(at, 1);
          }
          assert.equal(queue.length, expected.length);
        }
      }),
    );
  });

  it('stays fast when it is never empty; the original queue slows down', () => {
    const original = searchMs(originalQueue);
    const patched = searchMs(patchedQueue);
    assert.ok(patched * 20 < original, `${patched.toFixed(2)} ms patched, ${original.toFixed(2)} ms original`);
  });

  it('holds the connections of every pool', async () => {
    const { url } = await testDatabase();
    const db = createPool({ url, connections: 3 });
    const queues = new Set<Queue>();
    const options = { onexecute: (connection: { queue: Queue }) => queues.add(connection.queue) };
    await db.unsafe('select 1', [], options as object);
    await Promise.all(Array.from({ length: 6 }, () => db.unsafe('select pg_sleep(0.05)', [], options as object)));
    assert.ok(queues.size > 1);
    for (const queue of queues) assert.equal(String(queue.remove), String(patchedQueue().remove));
    assert.notEqual(String(patchedQueue().remove), String(originalQueue().remove));
    await db.end();
  });
});

describe('a patch', () => {
  const file = 'node_modules/postgres/cjs/src/queue.js';
  const diff = readFileSync(join(import.meta.dirname, '..', '..', 'patches', 'postgres+3.4.9.patch'), 'utf8');
  const source = readFileSync(join(folder, 'cjs', 'src', 'queue.js'), 'utf8');

  it('applies to the file as npm installed it', () => {
    assert.match(applyPatch(source, diff, file), /xs = xs\.slice\(index\)/);
  });

  it('does not apply to a file that has changed', () => {
    assert.throws(() => applyPatch(source.replace('xs.indexOf(x)', 'find(x)'), diff, file), /line 12 of .*queue\.js/);
    assert.throws(() => applyPatch(applyPatch(source, diff, file), diff, file), /not what the patch expects/);
  });

  it('does not apply to another file', () => {
    assert.throws(() => applyPatch(source, diff, 'node_modules/postgres/cjs/src/types.js'), /does not change/);
  });
});

/** Milliseconds of 200 searches in a queue that passed on 200,000 items and always held one. */
function searchMs(makeQueue: MakeQueue): number {
  const queue = makeQueue([-1]);
  for (let item = 0; item < 200_000; item += 1) {
    queue.push(item);
    queue.shift();
  }
  const startedAt = performance.now();
  for (let search = 0; search < 200; search += 1) queue.remove(-2);
  return performance.now() - startedAt;
}

describe('a server that fails while a connection is opened', () => {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type, 'latin1');
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
  const failed = message('E', Buffer.from('SFATAL\0C08P01\0Mserver login has been failing\0\0'));

  /** Accepts connections, and answers their first query by `answer`. */
  async function startServer(answer: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(ready);
        socket.once('data', () => answer(socket));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => server.close());
    return (server.address() as AddressInfo).port;
  }

  // An unhandled rejection would fail this file.
  for (const search of ['', '?target_session_attrs=primary']) {
    it(`fails the query, and not the process${search && `, with ${search}`}`, async () => {
      const port = await startServer((socket) => socket.end(failed));
      const db = createPool({ url: `postgres://u@127.0.0.1:${port}/d${search}`, connections: 1 });
      await assert.rejects(db`select 1`, { code: '08P01' });
      await db.end({ timeout: 0 });
    });

    it(`ends while it does not answer${search && `, with ${search}`}`, async () => {
      const asked = Promise.withResolvers<void>();
      const port = await startServer(() => asked.resolve());
      const db = createPool({ url: `postgres://u@127.0.0.1:${port}/d${search}`, connections: 1 });
      const answer = assert.rejects(db`select 1`, { code: 'CONNECTION_DESTROYED' });
      await asked.promise;
      await db.end({ timeout: 0 });
      await answer;
    });
  }
});

describe('a server that accepts connections and closes them', () => {
  async function startClosing(): Promise<{ port: number; connections: () => number }> {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => {});
      socket.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => server.close());
    return { port: (server.address() as AddressInfo).port, connections: () => connections };
  }

  it('fails the statement instead of being asked again and again', async () => {
    const { port, connections } = await startClosing();
    const db = createPool({ url: `postgres://u@127.0.0.1:${port}/d`, connections: 1 });
    for (let tries = 1; tries <= 3; tries += 1) {
      await assert.rejects(db`select 1`, { code: 'CONNECTION_CLOSED' });
      assert.equal(connections(), tries);
    }
    await db.end({ timeout: 0 });
  });

  it('is passed over when the URL names another one', async () => {
    const { port, connections } = await startClosing();
    const real = new URL((await testDatabase()).url);
    const login = `${real.username}${real.password && `:${real.password}`}`;
    const hosts = `127.0.0.1:${port},${real.host}`;
    const db = createPool({ url: `postgres://${login}@${hosts}${real.pathname}`, connections: 1 });
    assert.deepEqual([...(await db`select 1 as one`)], [{ one: 1 }]);
    assert.equal(connections(), 1);
    await db.end();
  });

  it('fails the statement when each of several hosts was tried once, and ends with the pool', async () => {
    const [one, two] = [await startClosing(), await startClosing()];
    const url = `postgres://u@127.0.0.1:${one.port},127.0.0.1:${two.port}/d?target_session_attrs=read-write`;
    const db = createPool({ url, connections: 1 });
    await assert.rejects(db`select 1`, { code: 'CONNECTION_CLOSED' });
    assert.deepEqual([one.connections(), two.connections()], [1, 1]);
    const lost = assert.rejects(db`select 1`.execute(), { code: /^CONNECTION_(DESTROYED|CLOSED)$/ });
    await new Promise((resolve) => setImmediate(resolve));
    await db.end({ timeout: 0 });
    await lost;
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { addItems, download, type Originals } from '../support/files/delivery.ts';
import { confirmedEntries } from '../support/clients/gallery.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// An agent opens many downloads of its own files and reads none of them, while others download too.

const ATTEMPTS = 40;
const TURNS = 4;
const LARGE_BYTES = 12 * 1024 * 1024;

/** The keys of the objects whose reading began, each as often as it began. */
const begun: string[] = [];
let parts = 0;
/** While it is set, each read of a part waits for it. */
let gate: Promise<void> | null = null;

const world = await startWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000' },
  wrap: ({ storage }) => ({
    storage: {
      ...storage,
      async readPart(key, part) {
        if (part.from === 0) begun.push(key);
        parts += 1;
        await gate;
        return await storage.readPart(key, part);
      },
    },
  }),
});
const { url, service, errors, operatorKey } = world;
const { deps } = service;
const { id } = await openProject(world, { entryFeeUsdc: 0 });
const [greedy, honest] = await confirmedEntries(world, id, 2);
assert.ok(greedy && honest);
// More than the buffers of two sockets hold.
await addItems(deps, greedy.submissionId, [
  { name: 'large.png', type: 'image/png', bytes: Buffer.alloc(LARGE_BYTES, 7) },
]);
const [large] = await deps.db<{ key: string }[]>`
  select original_key as key from media_files where submission_id = ${greedy.submissionId} and item = 2`;
assert.ok(large);
const begunOfLarge = () => begun.filter((key) => key === large.key).length;

async function originals({ submissionId, key }: { submissionId: string; key: string }): Promise<Originals> {
  const answer = await call(url, 'GET', `/agents/me/submissions/${submissionId}/files`, { key });
  return expectStatus(answer, 200).body.data as Originals;
}

async function broken(): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${operatorKey}` } });
  return Number(/^concours_original_downloads_total\{outcome="broken_off"\} (\d+)$/m.exec(await answer.text())?.[1]);
}

async function recordsOf(target: string): Promise<number> {
  const grant = new URL(target).pathname.split('/')[2]!;
  const rows = await deps.db`
    select 1 from audit_trail where action = 'original.download' and details ->> 'grant' = ${grant}`;
  return rows.length;
}

const sockets: { socket: Socket; answered: boolean }[] = [];

/** Requests a file and reads nothing after the first bytes of the answer. */
async function readSlowly(target: string): Promise<Socket> {
  const { hostname, port, pathname, search, host } = new URL(target);
  const socket = connect(Number(port), hostname);
  const reader = { socket, answered: false };
  sockets.push(reader);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.once('data', () => {
    reader.answered = true;
    socket.pause();
  });
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return socket;
}

async function leave(leaving: Socket[]): Promise<void> {
  const closed = leaving.filter(({ closed: is }) => !is).map((socket) => once(socket, 'close'));
  for (const socket of leaving) socket.destroy();
  await Promise.all(closed);
}

after(() => leave(sockets.map(({ socket }) => socket)));

it('an agent with many slow downloads delays no download of another', async () => {
  const target = (await originals(greedy)).files[1]!.url;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await readSlowly(target);
  await until('the slow downloads have begun', async () => sockets.filter(({ answered }) => answered).length >= TURNS);

  const { files, zip_url: zip } = await originals(honest);
  assert.ok((await download(files[0]!.url)).bytes.equals(honest.bytes));
  assert.equal((await download(zip)).status, 200);
  const held = sockets.filter(({ socket, answered }) => answered && !socket.destroyed);
  assert.ok(held.length <= TURNS, `${held.length} slow downloads at once`);

  // Those that wait leave, and then those that are under way.
  const [before, brokenBefore] = [begunOfLarge(), await broken()];
  const waiting = sockets.filter(({ answered, socket }) => !answered && !socket.destroyed).map(({ socket }) => socket);
  await leave(waiting);
  await until('the service knows', async () => (await broken()) >= brokenBefore + waiting.length);
  await leave(sockets.map(({ socket }) => socket));
  // A waiting download that was not dropped would be read before this one.
  const last = (await originals(greedy)).files[1]!.url;
  assert.equal((await download(last)).bytes.length, LARGE_BYTES);
  assert.equal(begunOfLarge(), before + 2, 'nothing was read for clients that had left');
  assert.deepEqual([await recordsOf(last), await recordsOf(target)], [1, before / 2]);
  assert.deepEqual(errors, []);
});

it('a client that leaves while its file is compared gets no record, and no further part is read', async () => {
  const target = (await originals(greedy)).files[1]!.url;
  const [partsBefore, brokenBefore] = [parts, await broken()];
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  const socket = await readSlowly(target);
  await until('the comparison has begun', async () => parts > partsBefore);
  await leave([socket]);
  // An answer that needs the database: by then, the service has seen the end of the other connection.
  await originals(honest);
  gate = null;
  opened.resolve();
  await until('the service knows', async () => (await broken()) > brokenBefore);
  assert.equal(parts, partsBefore + 1);
  assert.equal(await recordsOf(target), 0);
  assert.deepEqual(errors, []);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { RECORDING_MS } from '../../server/judging/end-entries.ts';
import type { World } from '../../server/deps.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { entriesOf, type Entry, picture } from '../support/clients/entries.ts';
import { confirmedEntries } from '../support/clients/gallery.ts';
import { expectStatus, openProject, putPicture } from '../support/clients/journey.ts';
import { addItems, download, type Originals } from '../support/files/delivery.ts';
import { until } from '../support/processes/processes.ts';
import { jpegOfScans } from '../support/test-pictures.ts';
import { NO_LIMITS } from '../support/worlds/shared-service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Callers who keep the service busy: slow pictures and slow downloads. Nobody else may suffer from it.

const [ATTACKERS, CONFIRMATIONS, TURNS] = [10, 12, 4];
/** The keys of the objects whose reading began, each as often as it began. */
const begun: string[] = [];
let inspections = 0;
let parts = 0;
/** While it is set, each read of a part waits for it. */
let gate: Promise<void> | null = null;

function counting({ inspectImage, storage }: World): Partial<World> {
  const counted =
    (inspect: World['inspectImage']): World['inspectImage'] =>
    async (bytes, declared) => {
      const facts = await inspect(bytes, declared);
      inspections += 1;
      return facts;
    };
  return {
    inspectImage: counted(inspectImage),
    storage: {
      ...storage,
      async readPart(key, part) {
        if (part.from === 0) begun.push(key);
        parts += 1;
        await gate;
        return await storage.readPart(key, part);
      },
    },
  };
}

const world = await startWorld({ wrap: counting, connections: 10, env: NO_LIMITS });
const { url, service, clock, errors, operatorKey } = world;
const { deps } = service;
const { db } = deps;
const { enter, confirmOnceOf } = entriesOf(world);

async function uploadFree(entry: Entry, bytes: Buffer<ArrayBuffer>, fileType: string): Promise<void> {
  const body = { fileName: 'entry.bin.png', fileType, fileSize: bytes.length };
  const path = `/agents/projects/${entry.projectId}/submissions/${entry.submissionId}`;
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const { data } = expectStatus(await call(url, 'POST', path, { key: entry.key, body, headers }), 200).body;
  assert.equal(await putPicture(data.uploadUrl, bytes, fileType), 200);
}

it('a confirmation before the deadline counts, whatever pictures other agents have the service inspect', async () => {
  const project = await openProject(world, { entryFeeUsdc: 0 });
  const [slow, before] = [jpegOfScans(100), inspections];
  const attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => enter(project.id)));
  for (const attacker of attackers) await uploadFree(attacker, slow, 'image/jpeg');
  const honest = await enter(project.id);
  await uploadFree(honest, picture, 'image/png');
  const [{ deadline } = { deadline: clock.now() }] = await db<{ deadline: Date }[]>`
    select auto_select_deadline as deadline from projects where id = ${project.id}`;

  const shortlyBefore = new Date(deadline.getTime() - 3_000);
  const attack: Promise<Answer>[] = [];
  const [first] = await clock.at(shortlyBefore, async () => {
    for (let round = 0; round < CONFIRMATIONS; round += 1) attack.push(...attackers.map((each) => confirmOnceOf(each)));
    const honestly = confirmOnceOf(honest);
    await until('the request is recorded', async () => {
      const [row] = await db`
        select 1 from media_files where submission_id = ${honest.submissionId} and confirm_requested_at is not null`;
      return row;
    });
    return [honestly];
  });
  // The deadline and the grace period pass while pictures are inspected.
  clock.offsetMs += deadline.getTime() + 31_000 + RECORDING_MS - clock.now().getTime();
  let answer = await first;
  const details = [{ field: 'confirm_requested_at', message: shortlyBefore.toISOString() }];
  for (; answer.status === 503; answer = await confirmOnceOf(honest))
    assert.deepEqual(answer.body.error.details, details);
  assert.equal(expectStatus(answer, 200).body.data.confirmedAt, shortlyBefore.toISOString());
  for (const { status } of await Promise.all(attack)) assert.ok([200, 400, 404, 503].includes(status), String(status));
  await until('judging', async () => {
    const [row] = await db`select status from projects where id = ${project.id}`;
    return row?.['status'] === 'judging';
  });
  // The project has waited for every inspection, and each submission was inspected once.
  assert.equal(inspections, before + ATTACKERS + 1);
});

describe('an agent that opens downloads and reads none of them', async () => {
  const LARGE_BYTES = 12 * 1024 * 1024;
  const { id } = await openProject(world, { entryFeeUsdc: 0 });
  const [greedy, honest] = await confirmedEntries(world, id, 2);
  assert.ok(greedy && honest);
  // More than the buffers of two sockets hold.
  const file = { name: 'large.png', type: 'image/png', bytes: Buffer.alloc(LARGE_BYTES, 7) };
  await addItems(deps, greedy.submissionId, [file]);
  const sockets: { socket: Socket; answered: boolean }[] = [];
  after(() => leave(sockets.map(({ socket }) => socket)));

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
    return (await db`select 1 from audit_trail where action = 'original.download' and details ->> 'grant' = ${grant}`)
      .length;
  }

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

  it('delays no download of another, and nothing is read for clients that have left', async () => {
    const target = (await originals(greedy)).files[1]!.url;
    begun.length = 0;
    for (let attempt = 0; attempt < 20; attempt += 1) await readSlowly(target);
    await until('the slow downloads', async () => sockets.filter(({ answered }) => answered).length >= TURNS);
    const { files, zip_url: zip } = await originals(honest);
    assert.ok((await download(files[0]!.url)).bytes.equals(honest.bytes));
    assert.equal((await download(zip)).status, 200);
    const held = sockets.filter(({ socket, answered }) => answered && !socket.destroyed);
    assert.ok(held.length <= TURNS, `${held.length} slow downloads at once`);

    // Those that wait leave, and then those that are under way.
    const [large] = begun;
    const times = () => begun.filter((key) => key === large).length;
    const [before, brokenBefore] = [times(), await broken()];
    const waiting = sockets
      .filter(({ answered, socket }) => !answered && !socket.destroyed)
      .map(({ socket }) => socket);
    await leave(waiting);
    await until('the service knows', async () => (await broken()) >= brokenBefore + waiting.length);
    await leave(sockets.map(({ socket }) => socket));
    // A waiting download that was not dropped would be read before this one.
    const last = (await originals(greedy)).files[1]!.url;
    assert.equal((await download(last)).bytes.length, LARGE_BYTES);
    assert.equal(times(), before + 2);
    assert.deepEqual([await recordsOf(last), await recordsOf(target)], [1, before / 2]);
  });

  it('and leaves while its file is compared gets no record, and no further part is read', async () => {
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
  });
});

it('nothing unforeseen was logged', () => assert.deepEqual(errors, []));

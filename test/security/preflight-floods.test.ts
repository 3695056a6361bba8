import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { MAX_FILE_BYTES } from '../../contract/projects/submissions.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { openConnection, type RawConnection } from '../support/clients/raw-http.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

// Preflights are free, so an attacker can send many. They may delay each other, but never a confirmation.

const AGENTS = 10;
/** The turns of preflights. */
const TURNS = 3;

/** While it is set, each inspection of a preflight waits for its own release. */
let held: (() => void)[] | null = null;

function holding({ preflightImage }: World): Partial<World> {
  return {
    async preflightImage(...given) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (held) held.push(resolve);
      else resolve();
      await promise;
      return await preflightImage(...given);
    },
  };
}

const world = await startWorld({ wrap: holding, env: { LIMIT_PREFLIGHTS_PER_HOUR: '1000' } });
const { url, service, errors } = world;
const { times } = service.deps.preflights;
const { enter, confirmOnceOf } = entriesOf(world);
const WAIT_MS = times.waitMs;

async function preflight(key: string): Promise<Answer> {
  return await call(url, 'POST', '/agents/preflight', { key, raw: picture, headers: { 'content-type': 'image/png' } });
}

/** Sends the head of a preflight, and a part of its body. */
async function begin(key: string, sizeBytes: number, part: Uint8Array): Promise<RawConnection> {
  const connection = await openConnection(url);
  const lines = [
    'POST /api/v1/agents/preflight HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: image/png',
    `Content-Length: ${sizeBytes}`,
  ];
  connection.send(`${lines.join('\r\n')}\r\n\r\n`);
  connection.send(part);
  return connection;
}

const newKey = async () => (await registerAgent(url)).key;

/** Holds each inspection of a preflight until the end of `work`. */
async function whileHeld(work: (waiting: (() => void)[]) => Promise<void>): Promise<void> {
  const waiting: (() => void)[] = (held = []);
  try {
    await work(waiting);
  } finally {
    held = null;
    for (const release of waiting) release();
  }
}

afterEach(async () => {
  times.waitMs = WAIT_MS;
  // All turns are free again in every case.
  const keys = await Promise.all(Array.from({ length: TURNS }, newKey));
  for (const answer of await Promise.all(keys.map(preflight))) expectStatus(answer, 200);
  assert.deepEqual(errors, []);
});

it('a flood of preflights by ten agents delays no confirmation', async () => {
  const project = await openProject(world, { entryFeeUsdc: 0 });
  const honest = await enter(project.id);
  const { data } = expectStatus(await requestUpload(url, honest), 200).body;
  assert.equal(await putPicture(data.uploadUrl, picture), 200);
  const keys = await Promise.all(Array.from({ length: AGENTS }, newKey));
  times.waitMs = 60_000;
  let flood: Promise<Answer>[] = [];
  await whileHeld(async (waiting) => {
    flood = keys.flatMap((key) => Array.from({ length: 9 }, () => preflight(key)));
    await until('all turns are taken', async () => waiting.length === TURNS);
    expectStatus(await confirmOnceOf(honest), 200);
    assert.equal(waiting.length, TURNS, 'no preflight has ended meanwhile');
  });
  for (const answer of await Promise.all(flood)) expectStatus(answer, 200);
});

it('agents take turns: one that sends many keeps one turn, and the others go first', async () => {
  const [greedy, honest] = [await newKey(), await newKey()];
  await whileHeld(async (waiting) => {
    const many = Array.from({ length: 10 }, () => preflight(greedy));
    await until('its first turn', async () => waiting.length === 1);
    const one = preflight(honest);
    await until('the turn of the other agent', async () => waiting.length === 2);
    waiting[1]!();
    expectStatus(await one, 200);
    held = null;
    waiting[0]!();
    for (const answer of await Promise.all(many)) expectStatus(answer, 200);
  });
});

it('a preflight without a turn in time gets 503, and its body is not read', async () => {
  const keys = await Promise.all(Array.from({ length: TURNS }, newKey));
  await whileHeld(async (waiting) => {
    const running = keys.map(preflight);
    await until('all turns are taken', async () => waiting.length === TURNS);
    times.waitMs = 1_000;
    const late = await begin(await newKey(), MAX_FILE_BYTES, Buffer.alloc(MAX_FILE_BYTES));
    await new Promise((resolve) => setTimeout(resolve, 500));
    // Only buffers of the system hold a part of it.
    assert.ok(late.socket.writableLength > MAX_FILE_BYTES / 2, `${late.socket.writableLength} bytes are not sent`);
    const [answer] = await late.next(1);
    codeIs(answer!, 503, 'INTERNAL_ERROR', /Too many pictures/);
    assert.equal(answer!.headers.get('retry-after'), '5');
    assert.ok(answer!.headers.get('ratelimit')?.startsWith('"preflights";r=999'));
    late.socket.destroy();
    for (const release of waiting.splice(0)) release();
    for (const each of await Promise.all(running)) expectStatus(each, 200);
  });
});

it('at most 100 preflights wait', async () => {
  const keys = await Promise.all(Array.from({ length: TURNS }, newKey));
  times.waitMs = 60_000;
  await whileHeld(async (waiting) => {
    const running = keys.map(preflight);
    await until('all turns are taken', async () => waiting.length === TURNS);
    const greedy = await newKey();
    let refused = 0;
    const many = Array.from({ length: 105 }, async () => {
      const answer = await preflight(greedy);
      if (answer.status === 503) refused += 1;
      return answer;
    });
    await until('those beyond the bound are refused', async () => refused === 5);
    held = null;
    for (const release of waiting.splice(0)) release();
    const statuses = (await Promise.all(many)).map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [...Array.from({ length: 100 }, () => 200), ...Array.from({ length: 5 }, () => 503)]);
    for (const each of await Promise.all(running)) expectStatus(each, 200);
  });
});

it('slow senders keep their turns only until they are cut off', async () => {
  const slow = await Promise.all(
    Array.from({ length: TURNS }, async () => await begin(await newKey(), 1_000, Buffer.alloc(10))),
  );
  times.waitMs = 20_000;
  // The turns are taken, so this one waits until the senders run into the limit of 5 s.
  const answer = await preflight(await newKey());
  expectStatus(answer, 200);
  for (const connection of slow) {
    const [refused] = await connection.next(1);
    codeIs(refused!, 408, 'VALIDATION_ERROR', /did not arrive in time/);
    connection.socket.destroy();
  }
});

it('a sender that leaves frees its turn, also while it waits', async () => {
  times.waitMs = 20_000;
  const senders: RawConnection[] = [];
  for (let count = 0; count < TURNS + 3; count += 1) senders.push(await begin(await newKey(), 1_000, Buffer.alloc(10)));
  for (const { socket } of senders) socket.destroy();
  const startedAt = performance.now();
  expectStatus(await preflight(await newKey()), 200);
  assert.ok(performance.now() - startedAt < 5_000, 'nothing waited for the limit of a slow sender');
});

it('a body that is shorter or longer than declared is no picture of another length', async () => {
  const short = await begin(await newKey(), picture.length + 1, picture);
  short.socket.end();
  for (const answer of await short.answers()) assert.equal(answer.status, 400);
  const long = await begin(await newKey(), picture.length, Buffer.concat([picture, Buffer.from('surplus\r\n\r\n')]));
  // The surplus is no HTTP, and its refusal may close the connection before the other answer.
  for (const { status, body } of await long.answers())
    assert.ok(status === 400 || (status === 200 && body.data.size_bytes === picture.length));
});

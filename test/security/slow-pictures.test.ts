import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { entriesOf, type Entry, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { jpegOfScans } from '../support/test-pictures.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

// Many agents send the slowest legal picture again and again, while another agent confirms shortly before the deadline.

const ATTACKERS = 10;
const CONFIRMATIONS = 24;

let inspections = 0;
/** While it is set, each inspection waits for its own release. */
let held: { contentType: string; isSlow: boolean; release: () => void }[] | null = null;
/** The keys of the uploads that the service has looked for. */
const looked: string[] = [];

function counting({ inspectImage, inspectSlowImage, storage }: World): Partial<World> {
  const holding =
    (inspect: World['inspectImage'], isSlow: boolean): World['inspectImage'] =>
    async (bytes, declared) => {
      const { promise, resolve: release } = Promise.withResolvers<void>();
      if (held) held.push({ ...declared, isSlow, release });
      else release();
      await promise;
      const facts = await inspect(bytes, declared);
      inspections += 1;
      return facts;
    };
  return {
    storage: {
      ...storage,
      async head(key) {
        const found = await storage.head(key);
        looked.push(key);
        return found;
      },
    },
    inspectImage: holding(inspectImage, false),
    inspectSlowImage: holding(inspectSlowImage, true),
  };
}

const world = await startWorld({ wrap: counting, env: { LIMIT_AGENT_OPERATIONS_PER_HOUR: '1000' } });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { enter, confirmOnceOf } = entriesOf(world);

async function uploadFree(entry: Entry, bytes: Buffer<ArrayBuffer>, fileType: string): Promise<void> {
  const body = { fileName: 'entry.bin.png', fileType, fileSize: bytes.length };
  const path = `/agents/projects/${entry.projectId}/submissions/${entry.submissionId}`;
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const { data } = expectStatus(await call(url, 'POST', path, { key: entry.key, body, headers }), 200).body;
  assert.equal(await putPicture(data.uploadUrl, bytes, fileType), 200);
}

it('a confirmation before the deadline counts, whatever other agents have the service inspect', async () => {
  const project = await openProject(world, { entryFeeUsdc: 0 });
  const slow = jpegOfScans(100);
  const attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => enter(project.id)));
  for (const attacker of attackers) await uploadFree(attacker, slow, 'image/jpeg');
  const honest = await enter(project.id);
  await uploadFree(honest, picture, 'image/png');
  const [{ deadline } = { deadline: clock.now() }] = await db<{ deadline: Date }[]>`
    select auto_select_deadline as deadline from projects where id = ${project.id}`;

  const shortlyBefore = new Date(deadline.getTime() - 3_000);
  const attack: Promise<Answer>[] = [];
  const [first] = await clock.at(shortlyBefore, async () => {
    const confirmations = Array.from({ length: CONFIRMATIONS }, () =>
      attackers.map((attacker) => confirmOnceOf(attacker)),
    );
    attack.push(...confirmations.flat());
    const honestly = confirmOnceOf(honest);
    await until('the request is recorded', async () => {
      const [row] = await db`
        select 1 from media_files where submission_id = ${honest.submissionId} and confirm_requested_at is not null`;
      return row;
    });
    return [honestly];
  });
  // The deadline and the grace period pass while pictures are inspected.
  clock.offsetMs += deadline.getTime() + 31_000 - clock.now().getTime();
  let answer = await first;
  for (; answer.status === 503; answer = await confirmOnceOf(honest))
    assert.deepEqual(answer.body.error.details, [
      { field: 'confirm_requested_at', message: shortlyBefore.toISOString() },
    ]);
  assert.equal(expectStatus(answer, 200).body.data.confirmedAt, shortlyBefore.toISOString());
  expectStatus(await call(url, 'GET', '/agents/me', { key: honest.key }), 200);
  await until('the service is ready', async () => (await fetch(`${url}/readyz`)).ok);

  // The joined requests are all answered.
  for (const { status } of await Promise.all(attack)) assert.ok([200, 400, 404, 503].includes(status), String(status));
  await until('judging', async () => {
    const [row] = await db`select status from projects where id = ${project.id}`;
    return row?.['status'] === 'judging';
  });
  // The project has waited for every inspection, and each submission was inspected once.
  assert.equal(inspections, ATTACKERS + 1);
  const [entry] = await db`
    select status, submitted_at from submissions where id = ${honest.submissionId}`;
  assert.deepEqual({ ...entry }, { status: 'submitted', submitted_at: shortlyBefore });
  assert.deepEqual(errors, []);
});

/** Waits until the pictures of all attackers and of the honest agent are entered. */
const allEntered = (projectId: string) =>
  until('every picture is entered', async () => {
    const [row] =
      await db`select count(*) as count from submissions where project_id = ${projectId} and status = 'submitted'`;
    return Number(row?.['count']) === ATTACKERS + 1;
  });

it('a usual picture waits for at most one other besides those that are decoded already', async () => {
  const project = await openProject(world, {
    entryFeeUsdc: 0,
    deadline: new Date(clock.now().getTime() + 3_600_000),
  });
  const attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => enter(project.id)));
  for (const attacker of attackers) await uploadFree(attacker, jpegOfScans(20), 'image/jpeg');
  const honest = await enter(project.id);
  await uploadFree(honest, picture, 'image/png');
  const [{ key } = { key: '' }] = await db<{ key: string }[]>`
    select upload_key as key from media_files where submission_id = ${honest.submissionId}`;

  const pictures: NonNullable<typeof held> = (held = []);
  const attack = attackers.map((attacker) => confirmOnceOf(attacker));
  await until('all decoders work', async () => pictures.length === 2);
  const honestly = confirmOnceOf(honest);
  await until('the request waits for its turn', async () => looked.includes(key));
  const isHonest = ({ contentType }: { contentType: string }) => contentType === 'image/png';
  let released = 0;
  for (; !pictures.some(isHonest); released += 1) {
    const before = pictures.length;
    pictures[released]?.release();
    await until('the next picture', async () => pictures.length > before);
  }
  assert.ok(released <= 2, `${released} pictures were decoded before`);
  held = null;
  for (const { release } of pictures) release();
  expectStatus(await honestly, 200);
  // A busy machine may answer the last ones that they are pending.
  for (const { status } of await Promise.all(attack)) assert.ok(status === 200 || status === 503, String(status));
  await allEntered(project.id);
});

it('a usual picture waits for no slow one', async () => {
  const project = await openProject(world, {
    entryFeeUsdc: 0,
    deadline: new Date(clock.now().getTime() + 3_600_000),
  });
  const attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => enter(project.id)));
  for (const attacker of attackers) await uploadFree(attacker, jpegOfScans(100), 'image/jpeg');
  const honest = await enter(project.id);
  await uploadFree(honest, picture, 'image/png');

  const pictures: NonNullable<typeof held> = (held = []);
  const attack = attackers.map((attacker) => confirmOnceOf(attacker));
  // The usual decoders only look at the attackers' pictures, and the slow decoder holds the first one.
  await until('every picture has been looked at', async () => {
    const usual = pictures.filter(({ isSlow }) => !isSlow);
    for (const { release } of usual) release();
    return usual.length === ATTACKERS && pictures.length > ATTACKERS;
  });
  held = null;
  expectStatus(await confirmOnceOf(honest), 200);
  assert.equal(pictures.filter(({ isSlow }) => isSlow).length, 1);
  for (const { release } of pictures) release();
  // One decoder takes the slow pictures, so a busy machine may answer the last ones that they are pending.
  for (const { status } of await Promise.all(attack)) assert.ok(status === 200 || status === 503, String(status));
  await allEntered(project.id);
});

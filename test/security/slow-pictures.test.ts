import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call } from '../support/clients/client.ts';
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

function counting({ inspectImage }: World): Partial<World> {
  return {
    async inspectImage(...given) {
      inspections += 1;
      return await inspectImage(...given);
    },
  };
}

const world = await startWorld({ wrap: counting, env: { LIMIT_AGENT_OPERATIONS_PER_HOUR: '1000' } });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { enter, confirmOf } = entriesOf(world);

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

  clock.offsetMs += deadline.getTime() - clock.now().getTime() - 3_000;
  const requestedFrom = clock.now();
  const attack = Promise.all(
    attackers.flatMap((attacker) => Array.from({ length: CONFIRMATIONS }, () => confirmOf(attacker))),
  );
  const seen = [];
  let answer = await confirmOf(honest);
  for (; answer.status === 503; answer = await confirmOf(honest)) {
    assert.equal(answer.body.error.code, 'CONFIRMATION_PENDING');
    seen.push(answer.body.error.details[0].message);
  }
  expectStatus(answer, 200);
  const confirmedAt = new Date(answer.body.data.confirmedAt);
  assert.ok(confirmedAt >= requestedFrom && confirmedAt < deadline, 'it counts from its request');
  assert.deepEqual([...new Set(seen)], seen.length > 0 ? [confirmedAt.toISOString()] : []);
  expectStatus({ ...(await call(url, 'GET', '/agents/me', { key: honest.key })) }, 200);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);

  // The joined requests are all answered, and each submission was inspected once.
  for (const { status } of await attack) assert.ok([200, 400, 404, 503].includes(status), String(status));
  assert.equal(inspections, ATTACKERS + 1);
  await until('judging', async () => {
    const [row] = await db`select status from projects where id = ${project.id}`;
    clock.offsetMs += 1_000;
    return row?.['status'] === 'judging';
  });
  const [entry] = await db`
    select status, submitted_at from submissions where id = ${honest.submissionId}`;
  assert.deepEqual({ ...entry }, { status: 'submitted', submitted_at: confirmedAt });
  assert.deepEqual(errors, []);
});

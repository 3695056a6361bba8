import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { flagOperations } from '../../contract/operator/flags.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  type Registered,
  requestUpload,
} from '../support/clients/journey.ts';
import { newOperator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, operatorKey: key, service, clock, errors } = world;
const { db } = service.deps;

type Picture = Buffer<ArrayBuffer>;
type Entry = { agent: Registered; submissionId: string; projectId: string };
type Flag = {
  id: string;
  kind: string;
  distance: number;
  decision: string | null;
  decision_reason: string | null;
  entry: { submission_id: string; project_title: string; thumbnail_url: string; agent: { id: string; status: string } };
  other: { submission_id: string; agent: { id: string; status: string } };
};

/** Draws soft areas of light and dark. Pictures of different seeds differ widely, and copies are similar. */
function drawing(seed: number) {
  let state = seed;
  const pixels = Uint8Array.from(
    { length: 64 },
    () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16,
  );
  return sharp(pixels, { raw: { width: 8, height: 8, channels: 1 } }).resize(240, 180, { kernel: 'cubic' });
}

const png = async (image: Sharp): Promise<Picture> => Buffer.from(await image.png().toBuffer());
/** Makes another file of the same picture: smaller, through JPEG, and a little brighter. */
const copyOf = async (picture: Picture) =>
  await png(sharp(await sharp(picture).resize(200, 150).jpeg({ quality: 60 }).toBuffer()).linear(1, 5));

const project = await openProject(world, { entryFeeUsdc: 0 });

/** Creates a confirmed entry. */
async function enter(bytes: Picture, options: { agent?: Registered; projectId?: string } = {}): Promise<Entry> {
  const agent = options.agent ?? (await registerAgent(url));
  const projectId = options.projectId ?? project.id;
  const { id: submissionId } = await createIntent(url, agent.key, projectId);
  const request = { key: agent.key, projectId, submissionId, sizeBytes: bytes.length };
  const granted = expectStatus(await requestUpload(url, request), 200);
  assert.equal(await putPicture(granted.body.data.uploadUrl, bytes), 200);
  expectStatus(await confirm(url, agent.key, projectId, submissionId), 200);
  // Separate the times of two entries, so that their order does not depend on one millisecond.
  clock.offsetMs += 5;
  return { agent, submissionId, projectId };
}

const compared = () =>
  until('all are compared', async () => (await db`select 1 from media_files where not compared`).length === 0);

async function flags(query: Record<string, string> = {}): Promise<{ flags: Flag[]; next_cursor: string | null }> {
  await compared();
  const path = `/operator/flags?${new URLSearchParams(query).toString()}`;
  return expectStatus(await call(url, 'GET', path, { key }), 200).body.data;
}

const flagsOf = async ({ agent }: Entry) => (await flags({ agent_id: agent.id })).flags;
const decide = (id: string, body: object) => call(url, 'POST', `/operator/flags/${id}/decision`, { key, body });
const statusOf = async ({ agent }: Entry) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key: agent.key }), 200).body.data.agent as Record<
    string,
    unknown
  >;
const trailOf = async (subject: string) =>
  expectStatus(await call(url, 'GET', `/operator/audit?subject=${subject}`, { key }), 200).body.data.entries as {
    actor: string;
    action: string;
    reason: string;
    details: Record<string, unknown>;
  }[];

describe('an entry that looks like another agent’s entry', () => {
  it('is flagged if the bytes are equal, and neither entry changes', async () => {
    const picture = await png(drawing(1));
    const [first, second] = [await enter(picture), await enter(picture)];
    const [flag, ...more] = await flagsOf(second);
    assert.ok(flag && more.length === 0);
    assert.deepEqual([flag.kind, flag.distance, flag.decision], ['exact', 0, null]);
    // The flag names the later entry first.
    assert.deepEqual([flag.entry.submission_id, flag.other.submission_id], [second.submissionId, first.submissionId]);
    assert.deepEqual(await flagsOf(first), [flag]);
    assert.equal(flag.entry.project_title, 'A poster for a lighthouse festival');
    assert.equal((await fetch(flag.entry.thumbnail_url)).status, 200);
    for (const entry of [first, second]) {
      assert.equal((await statusOf(entry))['status'], 'active');
      assert.deepEqual(await trailOf(`agent:${entry.agent.id}`), []);
    }
    const rows = await db`
      select 1 from submissions where id = any(${[first.submissionId, second.submissionId]})
        and status = 'submitted' and disqualified_at is null`;
    assert.equal(rows.length, 2);
  });

  it('is flagged as near if it copies a picture of any project', async () => {
    const picture = await png(drawing(2));
    const { id: projectId } = await openProject(world, { entryFeeUsdc: 0 });
    const [first, second] = [await enter(picture), await enter(await copyOf(picture), { projectId })];
    const [flag, ...more] = await flagsOf(second);
    assert.ok(flag && more.length === 0);
    assert.equal(flag.kind, 'near');
    assert.ok(flag.distance <= 7, `${flag.distance} bits`);
    assert.equal(flag.other.submission_id, first.submissionId);
  });

  it('is not flagged if the same agent owns both, or if the pictures differ', async () => {
    const picture = await png(drawing(3));
    const first = await enter(picture);
    const { id: projectId } = await openProject(world, { entryFeeUsdc: 0 });
    await enter(await copyOf(picture), { agent: first.agent, projectId });
    assert.deepEqual(await flagsOf(first), []);
    assert.deepEqual(await flagsOf(await enter(await png(drawing(4)))), []);
  });

  it('is flagged once if both are confirmed at the same time', async () => {
    const picture = await png(drawing(5));
    const entries = await Promise.all([enter(picture), enter(picture), enter(picture)]);
    await compared();
    const ids = entries.map(({ submissionId }) => submissionId);
    const rows = await db`select 1 from originality_flags where submission_id = any(${ids})`;
    assert.equal(rows.length, 3);
    for (const entry of entries) assert.equal((await flagsOf(entry)).length, 2);
  });

  it('is not flagged for a plain area, unless the bytes are equal', async () => {
    const plain = (shade: number) =>
      png(sharp({ create: { width: 120, height: 120, channels: 3, background: { r: shade, g: shade, b: shade } } }));
    const [dark, light] = [await enter(await plain(10)), await enter(await plain(200))];
    for (const entry of [dark, light]) assert.deepEqual(await flagsOf(entry), []);
    assert.equal((await flagsOf(await enter(await plain(10)))).length, 1);
  });
});

describe('the operator', () => {
  const pair = async (seed: number) => {
    const picture = await png(drawing(seed));
    const [first, second] = [await enter(picture), await enter(picture)];
    const [flag] = await flagsOf(second);
    assert.ok(flag);
    return { first, second, flag };
  };

  it('dismisses a flag', async () => {
    const { second, flag } = await pair(10);
    const decided = expectStatus(
      await decide(flag.id, { decision: 'dismissed', reason: 'Both are of one studio' }),
      200,
    ).body.data.flag as Flag;
    assert.deepEqual([decided.decision, decided.decision_reason], ['dismissed', 'Both are of one studio']);
    assert.equal((await statusOf(second))['status'], 'active');
    const [line] = await trailOf(`flag:${flag.id}`);
    assert.deepEqual(
      [line?.actor, line?.action, line?.reason, line?.details],
      ['operator', 'flag.decide', 'Both are of one studio', { from: null, to: 'dismissed' }],
    );
    assert.ok(!(await flags({ decision: 'open' })).flags.some(({ id }) => id === flag.id));
    assert.ok((await flags({ decision: 'dismissed' })).flags.some(({ id }) => id === flag.id));
  });

  it('with `support` alone dismisses no flag of a project that is not decided', async () => {
    const { flag, second } = await pair(13);
    const { key: support } = await newOperator(world, 'support');
    const say = (decision: string) =>
      call(url, 'POST', `/operator/flags/${flag.id}/decision`, { key: support, body: { decision, reason: 'Looked' } });
    expectStatus(await say('upheld'), 200);
    codeIs(await say('dismissed'), 403, 'OPERATOR_SCOPE', /needs the scope money/);
    await db`update submissions set outcome = 'lost', decided_at = now() where id = ${second.submissionId}`;
    expectStatus(await say('dismissed'), 200);
  });

  it('puts the later agent under review, which reads the reason and the end', async () => {
    const { first, second, flag } = await pair(11);
    const end = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const body = { decision: 'under_review', reason: 'The same file', until: end };
    const decided = expectStatus(await decide(flag.id, body), 200).body.data.flag as Flag;
    assert.deepEqual([decided.entry.agent.status, decided.other.agent.status], ['under_review', 'active']);
    const { status, statusReason, statusUntil } = await statusOf(second);
    assert.deepEqual([status, statusReason, statusUntil], ['under_review', 'The same file', end]);
    assert.equal((await statusOf(first))['status'], 'active');
    // The same decision adds no line to the audit trail. A new reason of the operator does.
    expectStatus(await decide(flag.id, body), 200);
    assert.equal((await trailOf(`flag:${flag.id}`)).length, 1);
    assert.equal((await trailOf(`agent:${second.agent.id}`)).length, 1);
    expectStatus(await decide(flag.id, { decision: 'upheld', reason: 'It is a copy' }), 200);
    assert.equal((await trailOf(`flag:${flag.id}`)).length, 2);
    assert.equal((await statusOf(second))['status'], 'under_review');
  });

  it('upholds a flag against the earlier agent, and never softens a suspension', async () => {
    const { first, second, flag } = await pair(12);
    const review = { decision: 'under_review', reason: 'It was published before', agent_id: first.agent.id };
    expectStatus(await decide(flag.id, review), 200);
    assert.equal((await statusOf(first))['status'], 'under_review');
    assert.equal((await statusOf(second))['status'], 'active');
    const suspend = { status: 'suspended', reason: 'Many copies' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${second.agent.id}/status`, { key, body: suspend }), 200);
    expectStatus(await decide(flag.id, { ...review, agent_id: second.agent.id, reason: 'This one too' }), 200);
    assert.equal((await statusOf(second))['status'], 'suspended');
  });

  it('decides the same for both agents, or changes the end, each as a separate decision', async () => {
    const { first, second, flag } = await pair(14);
    const review = { decision: 'under_review', reason: 'One studio, two names' };
    const end = new Date(clock.now().getTime() + 3_600_000).toISOString();
    for (const body of [review, { ...review, agent_id: first.agent.id }])
      for (const time of ['first', 'again']) assert.equal((await decide(flag.id, body)).status, 200, time);
    for (const entry of [first, second]) assert.equal((await statusOf(entry))['status'], 'under_review');
    assert.equal((await trailOf(`flag:${flag.id}`)).length, 2);
    const ending = { ...review, agent_id: first.agent.id, until: end };
    for (const time of ['first', 'again']) assert.equal((await decide(flag.id, ending)).status, 200, time);
    assert.equal((await statusOf(first))['statusUntil'], end);
    const lines = (await trailOf(`flag:${flag.id}`)).map(({ details }) => [details['agent_id'], details['until']]);
    assert.deepEqual(lines, [
      [first.agent.id, end],
      [first.agent.id, null],
      [second.agent.id, null],
    ]);
  });

  it('does not replace a decision that another operator made meanwhile', async () => {
    const { flag } = await pair(15);
    const first = { decision: 'upheld', reason: 'A copy', instead_of: 'open' };
    expectStatus(await decide(flag.id, first), 200);
    expectStatus(await decide(flag.id, first), 200);
    const second = { decision: 'dismissed', reason: 'No copy' };
    codeIs(await decide(flag.id, { ...second, instead_of: 'open' }), 409, 'OPERATOR_CONFLICT', /is upheld: A copy$/);
    codeIs(await decide(flag.id, { ...second, instead_of: 'under_review' }), 409, 'OPERATOR_CONFLICT');
    assert.equal((await trailOf(`flag:${flag.id}`)).length, 1);
    expectStatus(await decide(flag.id, { ...second, instead_of: 'upheld' }), 200);
    assert.equal((await trailOf(`flag:${flag.id}`)).length, 2);
  });

  it('cannot decide with contradictory values', async () => {
    const { flag } = await pair(13);
    for (const body of [
      {},
      { decision: 'dismissed' },
      { decision: 'guilty', reason: 'A reason' },
      { decision: 'dismissed', reason: 'A reason', until: '2099-01-01T00:00:00Z' },
      { decision: 'under_review', reason: 'A reason', until: '2020-01-01T00:00:00Z' },
      { decision: 'under_review', reason: 'A reason', agent_id: flag.id },
    ])
      codeIs(await decide(flag.id, body), 400, 'VALIDATION_ERROR');
    codeIs(await decide(project.id, { decision: 'dismissed', reason: 'A reason' }), 404, 'NOT_FOUND');
    assert.deepEqual(await trailOf(`flag:${flag.id}`), []);
  });
});

describe("the operator's list of flags", () => {
  it('is sorted newest first, page by page', async () => {
    const all = (await flags({ limit: '100' })).flags;
    const seen: Flag[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof flags>> = await flags({ limit: '2', ...(cursor === '' ? {} : { cursor }) });
      seen.push(...page.flags);
      cursor = page.next_cursor;
    }
    assert.deepEqual(
      seen.map(({ id }) => id),
      all.map(({ id }) => id),
    );
    assert.ok(all.length >= 9, `${all.length}`);
  });

  it('refuses unknown parameters', async () => {
    for (const query of ['decision=maybe', 'agent_id=x', 'limit=0', 'cursor=x'])
      codeIs(await call(url, 'GET', `/operator/flags?${query}`, { key }), 400, 'INVALID_PARAMETER');
  });
});

it('the tests received every answer that these operations can give, and the service logged no errors', () => {
  assert.deepEqual(notSeen(...Object.keys(flagOperations)), []);
  assert.deepEqual(errors, []);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, type Entry, entriesOf } from '../support/clients/entries.ts';
import { expectStatus, openProject, requestUpload } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000', LIMIT_AGENT_OPERATIONS_PER_HOUR: '100000' },
});
const { url, clock, service, errors } = world;
const { db } = service.deps;
const { confirmOf, enter, intentOf, setStatus, upload } = entriesOf(world);
const project = await openProject(world);
const free = await openProject(world, { entryFeeUsdc: 0 });

type Shown = Record<string, unknown> & { id: string; status: string; next: { operation_id: string } | null };

const listOf = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me/submissions', { key }), 200).body.data.submissions as Shown[];
const getOf = async ({ key, submissionId }: Entry) =>
  expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}`, { key }), 200).body.data
    .submission as Shown;
const removeOf = ({ key, projectId }: Pick<Entry, 'key' | 'projectId'>) =>
  call(url, 'DELETE', `/agents/projects/${projectId}/intent`, { key });
const totalProjects = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.agent.analytics.totalProjects as number;

describe('DELETE …/intent', () => {
  it('withdraws an unpaid intent, keeps the quota used, and allows a new intent', async () => {
    const { key, projectId, submissionId } = await enter(project.id);
    assert.equal(await totalProjects(key), 1);
    const removed = expectStatus(await removeOf({ key, projectId }), 200);
    assert.deepEqual(
      [removed.body.data.submission.id, removed.body.data.submission.status],
      [submissionId, 'withdrawn'],
    );
    assert.equal(await totalProjects(key), 0);
    assert.deepEqual(
      (await listOf(key)).map(({ id, status, next }) => [id, status, next]),
      [[submissionId, 'withdrawn', null]],
    );
    codeIs(await removeOf({ key, projectId }), 404, 'SUBMISSION_NOT_FOUND');
    for (const send of [
      () => requestUpload(url, { key, projectId, submissionId, sizeBytes: 10 }),
      () => confirmOf({ key, projectId, submissionId, agentId: '', sizeBytes: 10 }),
    ])
      codeIs(await send(), 404, 'SUBMISSION_NOT_FOUND');

    const again = expectStatus(await intentOf(key, projectId), 201).body.data.submission;
    assert.notEqual(again.id, submissionId);
    codeIs(await intentOf(key, projectId), 409, 'INTENT_ALREADY_EXISTS', new RegExp(again.id));
    assert.equal(await totalProjects(key), 1);
    // Five intents a day, whether they were deleted or not.
    for (let made = 2; made < 5; made += 1) {
      expectStatus(await removeOf({ key, projectId }), 200);
      expectStatus(await intentOf(key, projectId), 201);
    }
    expectStatus(await removeOf({ key, projectId }), 200);
    codeIs(await intentOf(key, projectId), 429, 'RATE_LIMIT_EXCEEDED', /starter tier/);
  });

  it('discards the file of a free entry, and the recommendations show the project again', async () => {
    const entry = await enter(free.id);
    await upload(entry);
    expectStatus(await removeOf(entry), 200);
    const files = await db`select status from media_files where submission_id = ${entry.submissionId}`;
    assert.deepEqual(
      files.map(({ status }) => status),
      ['superseded'],
    );
    assert.equal(((await getOf(entry))['file'] as Shown)['state'], 'replaced');
    expectStatus(await intentOf(entry.key, free.id), 201);
    expectStatus(await removeOf(entry), 200);
    const { projects } = expectStatus(
      await call(url, 'GET', '/agents/projects/recommended?limit=50', { key: entry.key }),
      200,
    ).body.data as { projects: { id: string }[] };
    assert.ok(projects.some(({ id }) => id === free.id));
    const agents = await db`select count(*) from submissions where agent_id = ${entry.agentId}`;
    assert.equal(agents[0]?.['count'], 2);
  });

  it('refuses a paid intent and a confirmed entry, and names both', async () => {
    const entry = await enter(project.id);
    await upload(entry);
    const paid = await removeOf(entry);
    codeIs(paid, 409, 'INTENT_PAID');
    const details = [{ field: 'submission_id', message: entry.submissionId }];
    assert.deepEqual(paid.body.error.details, details);
    expectStatus(await confirmOf(entry), 200);
    const confirmed = await removeOf(entry);
    codeIs(confirmed, 409, 'SUBMISSION_EXISTS');
    assert.deepEqual(confirmed.body.error.details, details);
  });

  it('answers PAYMENT_PENDING while the outcome of a payment is unknown', async () => {
    const entry = await enter(project.id);
    const [row] = await db<{ payment: object }[]>`
      select to_jsonb(p) as payment from payments p where kind = 'entry_fee' and state = 'settled' limit 1`;
    const settling = {
      ...row?.payment,
      id: entry.submissionId,
      subject_id: entry.submissionId,
      auth_nonce: `0x${'5'.repeat(64)}`,
      state: 'settling',
      tx_hash: null,
      log_index: null,
      lease_until: new Date(clock.now().getTime() + 600_000),
      sweep_at: new Date(clock.now().getTime() + 600_000),
    };
    await db`insert into payments select (jsonb_populate_record(null::payments, ${db.json(settling)})).*`;
    codeIs(await removeOf(entry), 503, 'PAYMENT_PENDING');
    const shown = await getOf(entry);
    assert.deepEqual(
      [shown.status, shown['payment'], shown.next?.operation_id],
      ['pending', 'settling', 'requestUpload'],
    );
    const quoted = await call(url, 'GET', `/agents/projects/${entry.projectId}/quote`, { key: entry.key });
    for (const next of [shown.next, expectStatus(quoted, 200).body.data.next])
      assert.equal(next?.why, 'Item 1 has no file; the payment of the fee is in progress, so do not sign another.');
    await db`delete from payments where id = ${entry.submissionId}`;
  });

  it('works in a project of any status, for intents that can never be finished', async () => {
    const { id } = await openProject(world);
    const entry = await enter(id);
    await setStatus(id, 'judging');
    expectStatus(await removeOf(entry), 200);
  });
});

describe('the details of a conflict', () => {
  it('name the submission', async () => {
    const entry = await enter(project.id);
    const named = [{ field: 'submission_id', message: entry.submissionId }];
    const detailsOf = async (answer: Promise<{ body: { error: { details?: unknown } } }>) =>
      (await answer).body.error.details;
    assert.deepEqual(await detailsOf(intentOf(entry.key, project.id)), named);
    const { key } = entry;
    expectStatus(await call(url, 'PUT', '/agents/me', { key, body: { settings: { maxConcurrentProjects: 1 } } }), 200);
    assert.deepEqual(await detailsOf(intentOf(key, free.id)), named);
    await upload(entry);
    assert.deepEqual(await detailsOf(requestUpload(url, entry)), named);
    expectStatus(await confirmOf(entry), 200);
    for (const again of [() => intentOf(key, project.id), () => requestUpload(url, entry), () => confirmOf(entry)])
      assert.deepEqual(await detailsOf(again()), named);
  });
});

it('the tests received every answer that the operation can give', () => {
  assert.deepEqual(notSeen('deleteIntent'), []);
  assert.deepEqual(errors, []);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs, type Entry, entriesOf } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { told } from '../support/clients/limit-headers.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// An agent's place in a project: the intent, its deletion, and the number of places.

const world = await sharedWorld();
const { url } = world;
const db = sharedDatabase(world);
const { confirmOf, enter, intentOf, richPayer, setStatus, upload } = entriesOf({ url, db });
const project = await openProject(world);
const free = await openProject(world, { entryFeeUsdc: 0 });

describe('POST …/intent', () => {
  it('reserves a place: 201, pending, without a payment', async () => {
    const { key, id } = await registerAgent(url);
    const body = { title: ' Dusk ', description: ' Calm ', status: 'submitted', agent_id: 'x' };
    const answer = expectStatus(await intentOf(key, project.id.toUpperCase(), body), 201);
    const { id: submissionId, created_at, ...rest } = answer.body.data.submission;
    assert.match(`${submissionId} ${created_at}`, /^[0-9a-f-]{36} \d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    assert.deepEqual(rest, {
      project_id: project.id,
      agent_id: id,
      title: 'Dusk',
      description: 'Calm',
      status: 'pending',
      entry_fee_paid: 0,
    });
  });

  it('needs a title of 3 to 200 characters and a description of at most 2000', async () => {
    const { key } = await registerAgent(url);
    for (const body of [
      {},
      { title: 'ab' },
      { title: '  a  ' },
      { title: 'x'.repeat(201) },
      { title: 7 },
      { title: 'Fine', description: 'x'.repeat(2001) },
    ])
      codeIs(await intentOf(key, project.id, body), 400, 'VALIDATION_ERROR', /failed: (title|description): /);
    const longest = { title: 'x'.repeat(200), description: 'x'.repeat(2000) };
    expectStatus(await intentOf(key, project.id, longest), 201);
  });

  it('is one per project and agent, and a conflict names the submission', async () => {
    const entry = await enter(project.id);
    const { key } = entry;
    const details = [{ field: 'submission_id', message: entry.submissionId }];
    const named = async (send: () => ReturnType<typeof intentOf>, code: string) => {
      const answer = await send();
      codeIs(answer, 409, code);
      assert.deepEqual(answer.body.error.details, details);
    };
    await named(() => intentOf(key, project.id), 'INTENT_ALREADY_EXISTS');
    expectStatus(await call(url, 'PUT', '/agents/me', { key, body: { settings: { maxConcurrentProjects: 1 } } }), 200);
    await named(() => intentOf(key, free.id), 'INTENT_LIMIT_REACHED');
    await upload(entry);
    await named(() => requestUpload(url, entry), 'SUBMISSION_ALREADY_EXISTS');
    await named(() => removeOf(entry), 'INTENT_PAID');
    expectStatus(await confirmOf(entry), 200);
    await named(() => intentOf(key, project.id), 'SUBMISSION_EXISTS');
    await named(() => requestUpload(url, entry), 'SUBMISSION_ALREADY_EXISTS');
    await named(() => removeOf(entry), 'SUBMISSION_EXISTS');
  });
});

const removeOf = ({ key, projectId }: Pick<Entry, 'key' | 'projectId'>) =>
  call(url, 'DELETE', `/agents/projects/${projectId}/intent`, { key });

describe('DELETE …/intent', () => {
  it('withdraws an unpaid intent, keeps the quota used, and allows a new intent', async () => {
    const { key, projectId, submissionId } = await enter(project.id);
    const totalProjects = async () =>
      expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.agent.analytics.totalProjects;
    assert.equal(await totalProjects(), 1);
    const { submission } = expectStatus(await removeOf({ key, projectId }), 200).body.data;
    assert.deepEqual([submission.id, submission.status], [submissionId, 'withdrawn']);
    assert.equal(await totalProjects(), 0);
    codeIs(await removeOf({ key, projectId }), 404, 'SUBMISSION_NOT_FOUND');
    const gone = { key, projectId, submissionId, agentId: '', sizeBytes: 10 };
    codeIs(await requestUpload(url, gone), 404, 'SUBMISSION_NOT_FOUND');
    codeIs(await confirmOf(gone), 404, 'SUBMISSION_NOT_FOUND');
    const again = expectStatus(await intentOf(key, projectId), 201);
    assert.notEqual(again.body.data.submission.id, submissionId);
    const midnight = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400;
    assert.deepEqual(told(again), { limit: 5, remaining: 3, reset: midnight });
  });

  it('discards the file of a free entry, also when its project accepts nothing any more', async () => {
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    const entry = await enter(id);
    await upload(entry);
    await setStatus(id, 'judging');
    expectStatus(await removeOf(entry), 200);
    await setStatus(id, 'open');
    const files = await db`select status from media_files where submission_id = ${entry.submissionId}`;
    assert.deepEqual(
      files.map(({ status }) => status),
      ['superseded'],
    );
    expectStatus(await intentOf(entry.key, id), 201);
  });
});

async function placesTaken(id: string): Promise<number> {
  const [row] = await db<{ taken: number }[]>`select places_taken as taken from projects where id = ${id}`;
  return row?.taken ?? -1;
}

describe('places', () => {
  it('only rise once the project is open', async () => {
    const bounded = await openProject(world, { fields: { max_entries: 3 } });
    const raise = (max_entries: number | null, { id, poster } = bounded) =>
      call(url, 'PATCH', `/posters/me/projects/${id}`, { key: poster.key, body: { max_entries } });
    codeIs(await raise(2), 400, 'VALIDATION_ERROR', /max_entries/);
    // The same number again changes nothing.
    for (const [max_entries, terms_version] of [
      [3, 1],
      [5, 2],
      [5, 2],
      [null, 3],
    ] as const) {
      const { project: raised } = expectStatus(await raise(max_entries), 200).body.data;
      assert.deepEqual(
        [raised.max_entries, raised.places_left, raised.terms_version],
        [max_entries, max_entries, terms_version],
      );
    }
    for (const opened of [bounded, project]) codeIs(await raise(9, opened), 400, 'VALIDATION_ERROR', /max_entries/);
  });

  it('are taken by paid fees, and a full project charges nobody', async () => {
    const { id } = await openProject(world, { prizeUsdc: 10, entryFeeUsdc: 0.25, fields: { max_entries: 2 } });
    const entries = [await enter(id), await enter(id), await enter(id)];
    const [first, second, third] = entries;
    assert.equal(await placesTaken(id), 0, 'an intent takes no place');
    await upload(first!);
    assert.equal(await placesTaken(id), 1);
    const asked = await requestUpload(url, second!);
    codeIs(asked, 402, 'PAYMENT_REQUIRED');
    assert.match(asked.body.project.terms_hash, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(asked.body.project, {
      terms_hash: asked.body.project.terms_hash,
      terms_url: `${url}/api/v1/projects/${id}/terms`,
      total_submissions: 0,
      max_entries: 2,
      places_left: 1,
      expected_value_micro: 9_250_000,
    });
    expectStatus(await confirmOf(first!), 200);
    assert.equal(await placesTaken(id), 1, 'its fee has taken the place');
    await upload(second!);
    assert.equal(await placesTaken(id), 2);
    codeIs(await requestUpload(url, third!), 409, 'PROJECT_FULL', /Nothing was charged/);
    codeIs(await requestUpload(url, { ...third!, fetch: (await richPayer()).pay }), 409, 'PROJECT_FULL');
    codeIs(await intentOf((await registerAgent(url)).key, id), 409, 'PROJECT_FULL');
    // A paid entry is served on.
    expectStatus(await confirmOf(second!), 200);
    const seen = [
      (await call(url, 'GET', `/agents/projects/${id}`, { key: first!.key })).body.data.project,
      (await call(url, 'GET', `/projects/${id}`)).body.data.project,
    ];
    // 9.5 ÷ 3, rounded down, less 0.25.
    const expected = [2, 2, 0, 2_916_666];
    for (const { total_submissions, max_entries, places_left, expected_value_micro } of seen)
      assert.deepEqual([total_submissions, max_entries, places_left, expected_value_micro], expected);
  });
});

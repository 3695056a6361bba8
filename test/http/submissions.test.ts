import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import {
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { StorageError } from '../../server/ports/storage.ts';
import { startWorld } from '../support/worlds/service-world.ts';

let storageFails = false;
const world = await startWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000', LIMIT_AGENT_OPERATIONS_PER_HOUR: '100000' },
  wrap: ({ storage }) => ({
    storage: {
      ...storage,
      async head(key) {
        if (storageFails) throw new StorageError('the store does not answer');
        return await storage.head(key);
      },
    },
  }),
});
const { url, clock, service, errors } = world;
const { db } = service.deps;
const { confirmOf, enter, richPayer, setDeadline, setStatus, upload } = entriesOf(world);
const project = await openProject(world);
const free = await openProject(world, { entryFeeUsdc: 0 });
const FEE_MICRO = 250_000;

type Shown = Record<string, unknown> & {
  id: string;
  status: string;
  next: { operation_id: string; arguments: Record<string, string>; until: string; why: string } | null;
};

const listOf = async (key: string, query = '') =>
  expectStatus(await call(url, 'GET', `/agents/me/submissions${query}`, { key }), 200).body.data as {
    submissions: Shown[];
    pagination: { limit: number; total_returned: number; has_more: boolean; next_cursor: string | null };
  };
const getOf = async ({ key, submissionId }: Entry) =>
  expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}`, { key }), 200).body.data
    .submission as Shown;
const nextOf = async (entry: Entry) => (await getOf(entry)).next?.operation_id ?? null;
const removeOf = ({ key, projectId }: Pick<Entry, 'key' | 'projectId'>) =>
  call(url, 'DELETE', `/agents/projects/${projectId}/intent`, { key });

describe('GET /agents/me/submissions/{submission_id}', () => {
  it('shows each state of a paid entry, what was really paid, and the next step', async () => {
    const entry = await enter(project.id);
    const intent = await getOf(entry);
    const { created_at: createdAt, auto_select_deadline: deadline, ...rest } = intent;
    assert.match(`${String(createdAt)} ${String(deadline)}`, /^\d{4}-[^ ]+Z \d{4}-[^ ]+Z$/);
    const given = { project_id: project.id, submission_id: intent.id };
    const next = { operation_id: 'requestUpload', arguments: given, until: deadline, why: 'Item 1 has no file.' };
    assert.deepEqual(rest, {
      id: entry.submissionId,
      project_id: project.id,
      agent_id: entry.agentId,
      title: 'Lighthouse at dusk',
      description: null,
      status: 'pending',
      entry_fee_paid: 0,
      project_title: 'A poster for a lighthouse festival',
      project_status: 'open',
      entry_fee_micro: FEE_MICRO,
      payment: 'none',
      payment_tx_hash: null,
      file: null,
      item_count: 1,
      files: [],
      items_missing: [1],
      thumbnail_url: null,
      submitted_at: null,
      withdrawn_at: null,
      next,
    });

    const payer = await richPayer();
    const granted = expectStatus(await requestUpload(url, { ...entry, fetch: payer.pay }), 200).body.data;
    assert.equal(granted.entry_fee_paid, FEE_MICRO);
    const paid = await getOf(entry);
    const [{ tx } = { tx: '' }] = await db<{ tx: string }[]>`
      select tx_hash as tx from payments where subject_id = ${intent.id}`;
    assert.deepEqual(
      [paid['entry_fee_paid'], paid['payment'], paid['payment_tx_hash'], paid.next],
      [FEE_MICRO, 'settled', tx, { ...next, why: 'Item 1 has no file; the fee is paid.' }],
    );
    const file = { media_file_id: granted.mediaFileId, upload_url_expires_at: granted.expiresAt };
    assert.deepEqual(paid['file'], { ...file, state: 'expected' });
    assert.deepEqual(paid['files'], [{ ...file, state: 'expected', item: 1, refused_reason: null }]);

    assert.equal(await putPicture(granted.uploadUrl, picture), 200);
    const uploaded = await getOf(entry);
    assert.deepEqual(uploaded['file'], { ...file, state: 'uploaded' });
    assert.deepEqual(uploaded['items_missing'], []);
    const { until, why, ...step } = uploaded.next!;
    assert.deepEqual(step, { operation_id: 'confirmUpload', arguments: given });
    assert.ok(until > String(deadline), 'the grace of the confirmation');
    assert.match(why, /not in the competition yet/);

    assert.equal(expectStatus(await confirmOf(entry), 200).body.data.entry_fee_paid, FEE_MICRO);
    const confirmed = await getOf(entry);
    assert.deepEqual(
      [confirmed.status, confirmed['file'], confirmed.next, confirmed['entry_fee_paid']],
      ['submitted', { ...file, state: 'confirmed' }, null, FEE_MICRO],
    );
    assert.match(String(confirmed['submitted_at']), /Z$/);
    const thumbnail = await fetch(String(confirmed['thumbnail_url']));
    assert.deepEqual([thumbnail.status, thumbnail.headers.get('content-type')], [200, 'image/webp']);
    const history = expectStatus(await call(url, 'GET', '/agents/me/history?limit=100', { key: entry.key }), 200);
    assert.equal(history.body.data.submissions[0].entry_fee_paid, FEE_MICRO);
    const gallery = await call(url, 'GET', `/posters/me/projects/${project.id}/submissions`, {
      key: project.poster.key,
    });
    assert.equal(expectStatus(gallery, 200).body.data.submissions[0].entry_fee_paid, FEE_MICRO);
  });

  it('sends an agent whose picture was refused for a new upload URL', async () => {
    const entry = await enter(free.id);
    await upload({ ...entry }, Buffer.from('not a picture'));
    assert.equal(await nextOf(entry), 'confirmUpload');
    codeIs(await confirmOf(entry), 400, 'VALIDATION_ERROR');
    assert.equal((await getOf(entry))['file'] && ((await getOf(entry))['file'] as Shown)['state'], 'refused');
    assert.equal(await nextOf(entry), 'requestUpload');
  });

  it('names no step that the service would refuse: deadline, grace, status, full project, notice of the end', async () => {
    const ending = await openProject(world, { entryFeeUsdc: 0 });
    const [waiting, uploaded] = [await enter(ending.id), await enter(ending.id)];
    await upload(uploaded);
    const steps = async () => [await nextOf(waiting), await nextOf(uploaded)];
    assert.deepEqual(await steps(), ['requestUpload', 'confirmUpload']);
    await db`update projects set max_entries = 2, places_taken = 2 where id = ${ending.id}`;
    assert.deepEqual(await steps(), [null, null]);
    await db`update projects set max_entries = null, close_requested_at = now() where id = ${ending.id}`;
    assert.deepEqual(await steps(), [null, 'confirmUpload']);
    await db`update projects set close_requested_at = null where id = ${ending.id}`;
    const now = clock.now().getTime();
    await db`update projects set auto_select_deadline = ${new Date(now)}, due_at = null where id = ${ending.id}`;
    const grace = service.deps.config.confirmGraceSeconds * 1000;
    await clock.at(now - 1, async () => assert.deepEqual(await steps(), ['requestUpload', 'confirmUpload']));
    await clock.at(now, async () => assert.deepEqual(await steps(), [null, 'confirmUpload']));
    await clock.at(now + grace, async () => assert.deepEqual(await steps(), [null, 'confirmUpload']));
    await clock.at(now + grace + 1, async () => assert.deepEqual(await steps(), [null, null]));
    await setDeadline(ending.id, 600);
    await setStatus(ending.id, 'judging');
    assert.deepEqual(await steps(), [null, null]);
  });

  it('hides other agents’ submissions, and says when the storage does not answer', async () => {
    const [entry, stranger] = [await enter(free.id), await registerAgent(url)];
    codeIs(
      await call(url, 'GET', `/agents/me/submissions/${entry.submissionId}`, { key: stranger.key }),
      404,
      'SUBMISSION_NOT_FOUND',
    );
    expectStatus(await requestUpload(url, entry), 200);
    storageFails = true;
    try {
      codeIs(await call(url, 'GET', '/agents/me/submissions', { key: entry.key }), 502, 'STORAGE_ERROR');
      codeIs(
        await call(url, 'GET', `/agents/me/submissions/${entry.submissionId}`, { key: entry.key }),
        502,
        'STORAGE_ERROR',
      );
    } finally {
      storageFails = false;
      errors.length = 0;
    }
  });
});

describe('GET /agents/me/submissions', () => {
  it('lists every state, newest first, page by page, also submissions of one millisecond', async () => {
    const agent = await registerAgent(url);
    await db`update agents set tier = 'pro' where id = ${agent.id}`;
    clock.offsetMs += 1_000;
    const projects = await Promise.all(Array.from({ length: 7 }, () => openProject(world, { entryFeeUsdc: 0 })));
    const made: string[] = [];
    await clock.at(clock.now(), async () => {
      for (const { id } of projects.slice(0, 4)) made.push((await createIntent(url, agent.key, id)).id);
    });
    for (const { id } of projects.slice(4)) made.push((await createIntent(url, agent.key, id)).id);
    expectStatus(await removeOf({ key: agent.key, projectId: projects[2]!.id }), 200);
    const entry = {
      ...agent,
      agentId: agent.id,
      projectId: projects[5]!.id,
      submissionId: made[5]!,
      sizeBytes: picture.length,
    };
    await upload(entry);
    expectStatus(await confirmOf(entry), 200);

    const all = await listOf(agent.key);
    assert.deepEqual(all.pagination, { limit: 20, total_returned: 7, has_more: false, next_cursor: null });
    const rows = await db<{ id: string }[]>`
      select id from submissions where agent_id = ${agent.id} order by created_at desc, id desc`;
    assert.deepEqual(
      all.submissions.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
    for (const limit of [1, 2, 3]) {
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await listOf(agent.key, `?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        paged.push(...page.submissions.map(({ id }) => id));
        cursor = page.pagination.next_cursor;
      }
      assert.deepEqual(
        paged,
        rows.map(({ id }) => id),
      );
    }
    const states = { pending: 5, submitted: 1, withdrawn: 1 };
    for (const [status, count] of Object.entries(states)) {
      const { submissions } = await listOf(agent.key, `?status=${status}`);
      assert.deepEqual(
        submissions.map((one) => one.status),
        Array.from({ length: count }, () => status),
      );
    }
    for (const query of ['?limit=0', '?limit=51', '?status=lost', '?cursor=x'])
      codeIs(await call(url, 'GET', `/agents/me/submissions${query}`, { key: agent.key }), 400, 'INVALID_PARAMETER');
    assert.deepEqual((await listOf((await registerAgent(url)).key)).submissions, []);
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('listSubmissions', 'getSubmission'), []);
  assert.deepEqual(errors, []);
});

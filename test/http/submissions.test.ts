import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// What an agent reads about its entries, and about what an entry costs.

const world = await sharedWorld();
const { url } = world;
const db = sharedDatabase(world);
const { confirmOf, enter, intentOf, richPayer, setStatus, upload } = entriesOf({ url, db });
const project = await openProject(world);
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
const removeOf = ({ key, projectId }: Pick<Entry, 'key' | 'projectId'>) =>
  call(url, 'DELETE', `/agents/projects/${projectId}/intent`, { key });

const quote = async (key: string, projectId: string, query = '') =>
  expectStatus(await call(url, 'GET', `/agents/projects/${projectId}/quote${query}`, { key }), 200).body.data;
const full = (id: string) => db`update projects set max_entries = 2, places_taken = 2 where id = ${id}`;
const limited = (agentId: string) =>
  db`update agents set status = 'limited', status_reason = 'Copies' where id = ${agentId}`;

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
      place_until: null,
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
    const held = Date.parse(String(paid['place_until']));
    assert.ok(held > Date.now() && held < Date.parse(String(deadline)), 'a place without an entry lapses');
    const file = { media_file_id: granted.mediaFileId, upload_url_expires_at: granted.expiresAt };
    assert.deepEqual(paid['file'], { ...file, state: 'expected' });
    assert.deepEqual(paid['files'], [{ ...file, state: 'expected', item: 1, refused_reason: null }]);

    assert.equal(await putPicture(granted.uploadUrl, picture), 200);
    const uploaded = await getOf(entry);
    assert.deepEqual(uploaded['file'], { ...file, state: 'uploaded' });
    assert.deepEqual(uploaded['items_missing'], []);
    const { until: end, why, ...step } = uploaded.next!;
    assert.deepEqual(step, { operation_id: 'confirmUpload', arguments: given });
    assert.ok(end > String(deadline), 'the grace of the confirmation');
    assert.match(why, /not in the competition yet/);

    assert.equal(expectStatus(await confirmOf(entry), 200).body.data.entry_fee_paid, FEE_MICRO);
    const confirmed = await getOf(entry);
    assert.deepEqual(
      [confirmed.status, confirmed['file'], confirmed.next, confirmed['place_until'], confirmed['entry_fee_paid']],
      ['submitted', { ...file, state: 'confirmed' }, null, null, FEE_MICRO],
    );
    assert.match(String(confirmed['submitted_at']), /Z$/);
    const thumbnail = await fetch(String(confirmed['thumbnail_url']));
    assert.deepEqual([thumbnail.status, thumbnail.headers.get('content-type')], [200, 'image/webp']);
  });
});

describe('GET /agents/me/submissions', () => {
  it('lists every state, newest first, page by page, also submissions of one millisecond', async () => {
    const agent = await registerAgent(url);
    await db`update agents set tier = 'pro' where id = ${agent.id}`;
    const projects = await Promise.all(Array.from({ length: 7 }, () => openProject(world, { entryFeeUsdc: 0 })));
    const made: string[] = [];
    const intended = async (id: string) =>
      await until('the tier', async () => {
        const answer = await intentOf(agent.key, id);
        return answer.status === 201 && (answer.body.data.submission.id as string);
      });
    for (const { id } of projects) made.push(await intended(id));
    await db`update submissions set created_at = ${new Date()} where id = any(${made.slice(0, 4)})`;
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
    for (const limit of [1, 3]) {
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

describe('GET /agents/projects/{project_id}/quote', () => {
  it('says what an entry costs and may win, and what comes next', async () => {
    const { id } = await openProject(world, { prizeUsdc: 10, fields: { max_entries: 3, item_count: 4 } });
    const { key } = await registerAgent(url);
    const { limits, quota, entries_end_at, ...data } = await quote(
      key,
      id,
      '?fileType=image/webp&fileSize=5000&item=4',
    );
    const { project: detail } = (await call(url, 'GET', `/agents/projects/${id}`, { key })).body.data;
    assert.match(detail.terms_hash, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(data, {
      possible: true,
      reasons: [],
      next: {
        operation_id: 'createIntent',
        arguments: { project_id: id },
        until: detail.auto_select_deadline,
        why: 'You have no place in the project yet.',
      },
      submission_id: null,
      entry_fee_micro: 250_000,
      winner_receives_micro: 9_500_000,
      terms_hash: detail.terms_hash,
      total_submissions: 0,
      max_entries: 3,
      places_left: 3,
      expected_value_micro: 9_250_000,
    });
    assert.equal(entries_end_at, detail.auto_select_deadline);
    assert.deepEqual(limits, {
      file_types: ['image/jpeg', 'image/png', 'image/webp'],
      max_file_bytes: 20_971_520,
      min_side_px: 100,
      max_side_px: 2048,
      item_count: 4,
      open_intents: 0,
      max_open_intents: 5,
    });
    assert.deepEqual([quota.limit, quota.used, quota.left], [5, 0, 5]);
    assert.deepEqual((await call(url, 'GET', '/agents/me', { key })).body.data.quota, quota);
    assert.ok(Date.parse(quota.resets_at) > Date.now());
  });

  it('names what refuses the intent, and the faults of the file', async () => {
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    await setStatus(id, 'cancelled');
    await full(id);
    const agent = await registerAgent(url);
    await limited(agent.id);
    const { reasons } = await quote(agent.key, id, '?fileType=text/plain&fileSize=0&item=0');
    const codes = reasons.map(({ code }: { code: string }) => code);
    assert.deepEqual(codes, ['AGENT_RESTRICTED', 'VALIDATION_ERROR']);
    assert.match(reasons[1].message, /fileType: .*; fileSize: .*; item: /);
    await setStatus(id, 'open');
    const set = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 3 } });
    const [wrong] = (await quote((await registerAgent(url)).key, set.id, '?item=4&fileType=image/gif')).reasons;
    assert.match(wrong.message, /fileType: .*; item: this project asks for 3 items$/);
  });

  it('knows only projects that the agent can see, and refuses malformed parameters', async () => {
    const { key } = await registerAgent(url);
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    const path = `/agents/projects/${id}/quote`;
    for (const query of ['?fileSize=-1', '?fileSize=1e99', '?item=x', `?fileType=${'x'.repeat(101)}`])
      codeIs(await call(url, 'GET', path + query, { key }), 400, 'INVALID_PARAMETER');
    await db`update projects set visible_at = now() + interval '1 hour' where id = ${id}`;
    codeIs(await call(url, 'GET', path, { key }), 404, 'PROJECT_NOT_FOUND');
  });
});

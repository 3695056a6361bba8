import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConcoursError, createAgent } from '../../sdk/src/index.ts';
import { StorageError } from '../../server/ports/storage.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf, picture } from '../support/clients/entries.ts';
import {
  type DraftOptions,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { entryArgs } from '../support/mcp/mcp-accounts.ts';
import { connectMcp, errorOf } from '../support/mcp/mcp.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

let storageIsGone = false;

function faulty({ storage }: World): Partial<World> {
  const gone = () => Promise.reject(new StorageError('no space left on device'));
  return {
    storage: new Proxy(storage, {
      get: (target, name) => (storageIsGone ? gone : (Reflect.get(target, name) as unknown)),
    }),
  };
}

const world = await startWorld({
  wrap: faulty,
  env: { LIMIT_AGENT_READS_PER_MINUTE: '1000' },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { confirmOf, enter, intentOf, richPayer, setStatus, upload } = entriesOf(world);

const free = async (more: DraftOptions = {}) => await openProject(world, { entryFeeUsdc: 0, ...more });

async function quote(key: string, projectId: string, query = '') {
  const answer = await call(url, 'GET', `/agents/projects/${projectId}/quote${query}`, { key });
  return expectStatus(answer, 200).body.data;
}

const full = async (id: string) => {
  await db`update projects set max_entries = 2, places_taken = 2 where id = ${id}`;
};
const limited = async (agentId: string) => {
  await db`update agents set status = 'limited', status_reason = 'Copies' where id = ${agentId}`;
};

describe('GET /agents/projects/{project_id}/quote', () => {
  it('says what an entry costs and may win, and what comes next', async () => {
    const { id } = await openProject(world, { prizeUsdc: 10, fields: { max_entries: 3, item_count: 4 } });
    const { key } = await registerAgent(url);
    const { limits, quota, entries_end_at, ...data } = await quote(
      key,
      id,
      '?fileType=image/webp&fileSize=5000&item=4',
    );
    const { project } = (await call(url, 'GET', `/agents/projects/${id}`, { key })).body.data;
    assert.match(project.terms_hash, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(data, {
      possible: true,
      reasons: [],
      next: {
        operation_id: 'createIntent',
        arguments: { project_id: id },
        until: project.auto_select_deadline,
        why: 'You have no place in the project yet.',
      },
      submission_id: null,
      entry_fee_micro: 250_000,
      winner_receives_micro: 9_500_000,
      terms_hash: project.terms_hash,
      total_submissions: 0,
      max_entries: 3,
      places_left: 3,
      expected_value_micro: 9_250_000,
    });
    assert.equal(entries_end_at, project.auto_select_deadline);
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
    assert.ok(Date.parse(quota.resets_at) > clock.now().getTime());
  });

  it('follows an agent to its entry, and changes nothing', async () => {
    const { id } = await openProject(world);
    const { key } = await registerAgent(url);
    const created = expectStatus(await intentOf(key, id), 201).body.data.submission;
    const before = await db`select * from submissions where id = ${created.id}`;
    const reserved = await quote(key, id);
    assert.deepEqual(await db`select * from submissions where id = ${created.id}`, before);
    const next = { arguments: { project_id: id, submission_id: created.id } };
    const { until: end, why, ...step } = reserved.next;
    assert.deepEqual([reserved.possible, step], [true, { operation_id: 'requestUpload', ...next }]);
    assert.deepEqual([end, why], [reserved.entries_end_at, 'Item 1 has no file.']);
    assert.deepEqual([reserved.quota.left, reserved.limits.open_intents], [4, 1]);

    const entry = { key, projectId: id, submissionId: created.id, agentId: '', sizeBytes: picture.length };
    const { pay } = await richPayer();
    const { data } = expectStatus(await requestUpload(url, { ...entry, fetch: pay }), 200).body;
    await full(id);
    const paid = await quote(key, id);
    assert.deepEqual([paid.possible, paid.next.operation_id], [true, 'requestUpload'], 'a paid entry holds its place');
    assert.equal(await putPicture(data.uploadUrl, picture), 200);
    assert.equal((await quote(key, id)).next.operation_id, 'confirmUpload');
    expectStatus(await confirmOf(entry), 200);
    const done = await quote(key, id);
    assert.deepEqual([done.possible, done.next, done.submission_id], [false, null, created.id]);
    assert.equal(done.total_submissions, 1);
  });

  it('names all reasons at once', async () => {
    const { id } = await free();
    await setStatus(id, 'cancelled');
    await full(id);
    const agent = await registerAgent(url);
    await limited(agent.id);
    const { reasons } = await quote(agent.key, id, '?fileType=text/plain&fileSize=0&item=0');
    const codes = reasons.map(({ code }: { code: string }) => code);
    assert.deepEqual(codes, ['AGENT_RESTRICTED', 'PROJECT_NOT_ACCEPTING', 'PROJECT_FULL', 'VALIDATION_ERROR']);
    assert.match(reasons[3].message, /fileType: .*; fileSize: .*; item: /);
    const set = await free({ fields: { item_count: 3 } });
    const [wrong] = (await quote((await registerAgent(url)).key, set.id, '?item=4&fileType=image/gif')).reasons;
    assert.match(wrong.message, /fileType: .*; item: this project asks for 3 items$/);
  });

  it('has reasons that reach callers of MCP and of the SDK whole', async () => {
    const { key } = await registerAgent(url);
    for (let count = 0; count < 5; count += 1) {
      const { id } = await free();
      expectStatus(await intentOf(key, id), 201);
      expectStatus(await call(url, 'DELETE', `/agents/projects/${id}/intent`, { key }), 200);
    }
    const { id } = await free();
    const [{ code, retry_after_seconds: seconds }] = (await quote(key, id)).reasons;
    const client = await connectMcp(url, { key });
    const { content } = await client.callTool({ name: 'enter_project', arguments: { ...entryArgs(id), max_spend: 0 } });
    const [told] = content.map((part) => (part.type === 'text' ? JSON.parse(part.text) : null));
    const agent = createAgent({ url, key, fetch: sdkFetch });
    const thrown = await agent.enter(id, { title: 'Dusk', file: picture }).catch((error: unknown) => error);
    assert.ok(thrown instanceof ConcoursError);
    assert.deepEqual([told.error.code, thrown.code], [code, code]);
    for (const each of [told.retry_after_seconds, thrown.retryAfter])
      assert.ok(each > 0 && each <= seconds, `${each} of ${seconds}`);

    const { key: busy } = await enter((await free()).id);
    const settings = { maxConcurrentProjects: 1 };
    expectStatus(await call(url, 'PUT', '/agents/me', { key: busy, body: { settings } }), 200);
    const [{ details }] = (await quote(busy, id)).reasons;
    const refused = errorOf(
      await (
        await connectMcp(url, { key: busy })
      ).callTool({ name: 'enter_project', arguments: { ...entryArgs(id), max_spend: 0 } }),
    );
    assert.deepEqual([refused.code, refused.details, details.length], ['INTENT_LIMIT_REACHED', details, 1]);
  });

  it('knows only projects that the agent can see, and refuses malformed parameters', async () => {
    const { key } = await registerAgent(url);
    const { id } = await free();
    const path = `/agents/projects/${id}/quote`;
    for (const query of ['?fileSize=-1', '?fileSize=1e99', '?item=x', `?fileType=${'x'.repeat(101)}`])
      codeIs(await call(url, 'GET', path + query, { key }), 400, 'INVALID_PARAMETER');
    await db`update projects set visible_at = now() + interval '1 hour' where id = ${id}`;
    codeIs(await call(url, 'GET', path, { key }), 404, 'PROJECT_NOT_FOUND');
  });

  it('needs the storage only to find an upload', async () => {
    const entry = await enter((await free()).id);
    await upload(entry);
    storageIsGone = true;
    codeIs(
      await call(url, 'GET', `/agents/projects/${entry.projectId}/quote`, { key: entry.key }),
      502,
      'STORAGE_ERROR',
    );
    assert.equal((await quote((await registerAgent(url)).key, entry.projectId)).possible, true);
    storageIsGone = false;
    errors.splice(0);
  });
});

it('the tests received every answer that the operation can give', () => {
  assert.deepEqual(notSeen('quoteEntry'), []);
  assert.deepEqual(errors, []);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageError } from '../../server/ports/storage.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import {
  type DraftOptions,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
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
  env: { CLOSE_NOTICE_MINUTES: '15', LIMIT_AGENT_READS_PER_MINUTE: '1000', LIMIT_POSTER_PER_MINUTE: '1000' },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { confirmOf, enter, intentOf, richPayer, setDeadline, setStatus, upload } = entriesOf(world);

const free = async (more: DraftOptions = {}) => await openProject(world, { entryFeeUsdc: 0, ...more });

async function quote(key: string, projectId: string, query = '') {
  const answer = await call(url, 'GET', `/agents/projects/${projectId}/quote${query}`, { key });
  return expectStatus(answer, 200).body.data;
}

/** What a quote says of the error of a real request. */
const reasonOf = ({ body }: Answer) => ({ code: body.error.code, message: body.error.message });

type Case = {
  /** Brings an agent and a project into the state. Returns both, with the intent if there is one. */
  given: () => Promise<Pick<Entry, 'key' | 'projectId'> & Partial<Entry>>;
  query?: string;
  /** The real request: the intent, or the upload request of an intent that exists. */
  real: (state: Pick<Entry, 'key' | 'projectId'> & Partial<Entry>) => Promise<Answer>;
  code: string;
  next?: string | null;
};

const intent: Case['real'] = ({ key, projectId }) => intentOf(key, projectId);
const uploadRequest: Case['real'] = (state) => requestUpload(url, state as Entry);
const newcomer = async (projectId: string) => ({ ...(await registerAgent(url)), projectId });
const closing = async () => {
  const { id, poster } = await free();
  // An entry, so that the poster has to announce the end.
  const entry = await enter(id);
  await upload(entry);
  expectStatus(await confirmOf(entry), 200);
  expectStatus(await call(url, 'POST', `/posters/me/projects/${id}/close`, { key: poster.key, body: {} }), 200);
  return id;
};
const full = async (id: string) => {
  await db`update projects set max_entries = 2, places_taken = 2 where id = ${id}`;
};
const limited = async (agentId: string) => {
  await db`update agents set status = 'limited', status_reason = 'Copies' where id = ${agentId}`;
};

const intents: Record<string, Case> = {
  'a project that is not open': {
    async given() {
      const { id } = await free();
      await setStatus(id, 'cancelled');
      return await newcomer(id);
    },
    real: intent,
    code: 'PROJECT_NOT_ACCEPTING',
  },
  'a project whose poster closes it': {
    given: async () => await newcomer(await closing()),
    real: intent,
    code: 'PROJECT_NOT_ACCEPTING',
  },
  'a deadline that is too close': {
    async given() {
      const { id } = await free();
      await setDeadline(id, 10);
      return await newcomer(id);
    },
    real: intent,
    code: 'PROJECT_DEADLINE_TOO_CLOSE',
  },
  'a deadline that has passed': {
    async given() {
      const { id } = await free();
      await setDeadline(id, -1);
      return await newcomer(id);
    },
    real: intent,
    code: 'PROJECT_DEADLINE_PASSED',
  },
  'a full project': {
    async given() {
      const { id } = await free();
      await full(id);
      return await newcomer(id);
    },
    real: intent,
    code: 'PROJECT_FULL',
  },
  'the wallet that funded the project': {
    async given() {
      const { id, funder } = await free();
      const agent = await newcomer(id);
      await db`update agents set wallet_address = ${funder.address} where id = ${agent.id}`;
      return agent;
    },
    real: intent,
    code: 'PROJECT_NOT_ACCEPTING',
  },
  'a restricted agent': {
    async given() {
      const agent = await newcomer((await free()).id);
      await limited(agent.id);
      return agent;
    },
    real: intent,
    code: 'AGENT_RESTRICTED',
  },
  'a quota that is used up': {
    async given() {
      const agent = await newcomer((await free()).id);
      for (let count = 0; count < 5; count += 1) {
        const { id } = await free();
        expectStatus(await intentOf(agent.key, id), 201);
        expectStatus(await call(url, 'DELETE', `/agents/projects/${id}/intent`, { key: agent.key }), 200);
      }
      return agent;
    },
    real: intent,
    code: 'RATE_LIMIT_EXCEEDED',
  },
  'as many intents as the agent allows itself': {
    async given() {
      const { key } = await enter((await free()).id);
      const settings = { maxConcurrentProjects: 1 };
      expectStatus(await call(url, 'PUT', '/agents/me', { key, body: { settings } }), 200);
      return { key, projectId: (await free()).id };
    },
    real: intent,
    code: 'INTENT_LIMIT_REACHED',
  },
  'a confirmed entry': {
    async given() {
      const entry = await enter((await free()).id);
      await upload(entry);
      expectStatus(await confirmOf(entry), 200);
      return entry;
    },
    real: intent,
    code: 'SUBMISSION_EXISTS',
  },
};

const uploads: Record<string, Case> = {
  'an intent in a project that is not open': {
    async given() {
      const entry = await enter((await free()).id);
      await setStatus(entry.projectId, 'cancelled');
      return entry;
    },
    real: uploadRequest,
    code: 'PROJECT_NOT_ACCEPTING',
  },
  'an intent after the deadline': {
    async given() {
      const entry = await enter((await free()).id);
      await setDeadline(entry.projectId, -1);
      return entry;
    },
    real: uploadRequest,
    code: 'PROJECT_DEADLINE_PASSED',
  },
  'an intent in a full project': {
    async given() {
      const entry = await enter((await openProject(world)).id);
      await full(entry.projectId);
      return entry;
    },
    real: uploadRequest,
    code: 'PROJECT_FULL',
  },
  'an intent of a restricted agent': {
    async given() {
      const entry = await enter((await free()).id);
      await limited(entry.agentId);
      return entry;
    },
    real: uploadRequest,
    code: 'AGENT_RESTRICTED',
  },
  'an uploaded file': {
    async given() {
      const entry = await enter((await free()).id);
      await upload(entry);
      return entry;
    },
    real: uploadRequest,
    code: 'SUBMISSION_ALREADY_EXISTS',
    next: 'confirmUpload',
  },
  'a file that is being confirmed': {
    async given() {
      const entry = await enter((await free()).id);
      await upload(entry);
      await db`update media_files set confirm_requested_at = ${clock.now()} where submission_id = ${entry.submissionId}`;
      return entry;
    },
    real: uploadRequest,
    code: 'SUBMISSION_ALREADY_EXISTS',
    next: 'confirmUpload',
  },
  'a file of another type and size': {
    given: async () => await enter((await free()).id),
    query: '?fileType=image/gif&fileSize=20971521',
    async real({ key, projectId, submissionId }) {
      const body = { fileName: 'entry.gif', fileType: 'image/gif', fileSize: 20_971_521 };
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      return await call(url, 'POST', `/agents/projects/${projectId}/submissions/${submissionId}`, {
        key,
        body,
        headers,
      });
    },
    code: 'VALIDATION_ERROR',
    next: 'requestUpload',
  },
};

describe('a quote gives the one reason of the request that would be refused', () => {
  for (const [name, { given, query, real, code, next = null }] of Object.entries({ ...intents, ...uploads }))
    it(name, async () => {
      const state = await given();
      const { possible, reasons, ...rest } = await quote(state.key, state.projectId, query);
      const answer = await real(state);
      assert.equal(answer.body.error?.code, code, JSON.stringify(answer.body));
      assert.deepEqual([possible, reasons], [false, [reasonOf(answer)]]);
      assert.deepEqual([rest.next?.operation_id ?? null, rest.submission_id], [next, state.submissionId ?? null]);
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
    assert.deepEqual(data, {
      possible: true,
      reasons: [],
      next: { operation_id: 'createIntent', arguments: { project_id: id } },
      submission_id: null,
      entry_fee_micro: 250_000,
      winner_receives_micro: 9_500_000,
      terms_hash: data.terms_hash,
      total_submissions: 0,
      max_entries: 3,
      places_left: 3,
      expected_value_micro: 9_250_000,
    });
    const { project } = (await call(url, 'GET', `/agents/projects/${id}`, { key })).body.data;
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
    assert.deepEqual([reserved.possible, reserved.next], [true, { operation_id: 'requestUpload', ...next }]);
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
    const { reasons } = await quote(agent.key, id, '?fileType=text/plain&fileSize=0&item=2');
    const codes = reasons.map(({ code }: { code: string }) => code);
    assert.deepEqual(codes, [
      'AGENT_RESTRICTED',
      'PROJECT_NOT_ACCEPTING',
      'PROJECT_FULL',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
    ]);
    assert.match(reasons[3].message, /item: this project asks for one item/);
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

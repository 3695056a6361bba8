import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { type Entry, entriesOf } from '../support/clients/entries.ts';
import {
  type DraftOptions,
  expectStatus,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A quote gives the reason of the real request. Each case brings an agent into a state, asks for a quote, and then sends
// the request.

const world = await startWorld({
  env: { CLOSE_NOTICE_MINUTES: '15', LIMIT_AGENT_READS_PER_MINUTE: '1000', LIMIT_POSTER_PER_MINUTE: '1000' },
});
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { confirmOf, enter, intentOf, setDeadline, setStatus, upload } = entriesOf(world);

const free = async (more: DraftOptions = {}) => await openProject(world, { entryFeeUsdc: 0, ...more });

/** The details that a quote and the error of a real request share. */
function reasonOf({ body, headers }: Answer) {
  const { code, message, details } = body.error;
  const seconds = headers.get('retry-after');
  return {
    code,
    message,
    ...(details === undefined ? {} : { details }),
    ...(seconds === null ? {} : { retry_after_seconds: Number(seconds) }),
  };
}

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
  'an item that the project does not ask for': {
    given: async () => await enter((await free({ fields: { item_count: 2 } })).id),
    query: '?item=3',
    async real({ key, projectId, submissionId }) {
      const body = { fileName: 'entry.png', fileType: 'image/png', fileSize: 100, item: 3 };
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      const path = `/agents/projects/${projectId}/submissions/${submissionId}`;
      return await call(url, 'POST', path, { key, body, headers });
    },
    code: 'VALIDATION_ERROR',
    next: 'requestUpload',
  },
  'an item whose file is uploaded': {
    async given() {
      const entry = await enter((await free({ fields: { item_count: 2 } })).id);
      await upload(entry);
      return entry;
    },
    real: uploadRequest,
    code: 'SUBMISSION_ALREADY_EXISTS',
    next: 'confirmUpload',
  },
};

for (const [name, { given, query = '', real, code, next = null }] of Object.entries({ ...intents, ...uploads }))
  it(`the reason is that of the request: ${name}`, async () => {
    const state = await given();
    const path = `/agents/projects/${state.projectId}/quote${query}`;
    // At one time, so that both count the same seconds until a retry.
    const [quoted, answer] = await clock.at(clock.now(), async () => [
      await call(url, 'GET', path, { key: state.key }),
      await real(state),
    ]);
    const { possible, reasons, ...rest } = expectStatus(quoted, 200).body.data;
    assert.equal(answer.body.error?.code, code, JSON.stringify(answer.body));
    assert.deepEqual([possible, reasons], [false, [reasonOf(answer)]]);
    assert.deepEqual([rest.next?.operation_id ?? null, rest.submission_id], [next, state.submissionId ?? null]);
  });

it('no request caused a fault', () => {
  assert.deepEqual(errors, []);
});

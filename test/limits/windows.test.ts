import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { createIntent, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { told, toldOf } from '../support/clients/limit-headers.ts';
import { callOperation } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Checks over HTTP, with a stopped clock, where the window of each limit begins and in which millisecond it ends.

const world = await startWorld({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
const { url, clock, errors } = world;

const { confirmUpload, requestUpload, listSpecializations, getMe, listOwnProjects, listLeaderboard } = operations;

type Case = {
  limit: number;
  seconds: number;
  /** Returns a caller without earlier requests. */
  caller(): Promise<() => Promise<Answer>>;
  /** The statuses of accepted and refused requests. */
  statuses: [number, number];
  /** The limit by its name, when the answer reports a tighter one first. */
  behindAnother?: string;
};

let addresses = 0;
const elsewhere = () => ({ headers: { 'x-forwarded-for': `198.51.100.${(addresses += 1)}` } });
const agentKey = async () => (await registerAgent(url)).key;

const cases: Record<string, Case> = {
  'agent operations': {
    limit: 100,
    seconds: 3600,
    statuses: [404, 429],
    async caller() {
      const key = await agentKey();
      return () => callOperation(url, confirmUpload, { key });
    },
  },
  'search, detail and specializations': {
    limit: 60,
    seconds: 60,
    statuses: [200, 429],
    async caller() {
      const key = await agentKey();
      return () => callOperation(url, listSpecializations, { key });
    },
  },
  'profile and keys': {
    limit: 60,
    seconds: 60,
    statuses: [200, 429],
    async caller() {
      const key = await agentKey();
      return () => callOperation(url, getMe, { key });
    },
  },
  'what is paid for': {
    limit: 50,
    seconds: 3600,
    statuses: [404, 429],
    behindAnother: 'payments',
    async caller() {
      const key = await agentKey();
      return () => callOperation(url, requestUpload, { key });
    },
  },
  'failed payments': {
    limit: 10,
    seconds: 3600,
    statuses: [402, 429],
    async caller() {
      const deadline = new Date(clock.now().getTime() + 86_400_000);
      const [key, { id }] = [await agentKey(), await openProject(world, { deadline })];
      const submission = await createIntent(url, key, id);
      const params = { project_id: id, submission_id: submission.id };
      return () => callOperation(url, requestUpload, { key, params, headers: { 'x-payment': 'e30=' } });
    },
  },
  registrations: {
    limit: 10,
    seconds: 3600,
    statuses: [400, 429],
    async caller() {
      const from = elsewhere();
      return () => call(url, 'POST', '/agents/create', { ...from, body: {} });
    },
  },
  'a poster': {
    limit: 60,
    seconds: 60,
    statuses: [200, 429],
    async caller() {
      const { key } = await registerPoster(url);
      return () => callOperation(url, listOwnProjects, { key });
    },
  },
  'reads without a key': {
    limit: 120,
    seconds: 60,
    statuses: [200, 429],
    async caller() {
      const from = elsewhere();
      return () => callOperation(url, listLeaderboard, from);
    },
  },
  'wrong keys': {
    limit: 60,
    seconds: 60,
    statuses: [401, 429],
    async caller() {
      const from = elsewhere();
      return () => callOperation(url, getMe, { key: 'wrong', ...from });
    },
  },
};

describe('a window starts with its first request and ends to the millisecond', () => {
  for (const [name, { limit, seconds, caller, statuses, behindAnother }] of Object.entries(cases)) {
    const [accepted, refused] = statuses;
    it(`${name}: ${limit} in ${seconds} s`, async () => {
      const ask = await caller();
      // Start in the middle of a second, a minute, and an hour, because no window is aligned to them.
      const start = Math.ceil(clock.now().getTime() / 3_600_000) * 3_600_000 + 1_234_567;
      const at = async (ms: number, status: number, remaining: number) => {
        const answer = await clock.at(start + ms, ask);
        assert.equal(answer.status, status, `${ms} ms: ${JSON.stringify(answer.body.error)}`);
        const state = behindAnother && status !== 429 ? toldOf(answer, behindAnother) : told(answer);
        assert.equal(state.remaining, remaining, `${ms} ms`);
        return answer;
      };
      const end = seconds * 1000;
      // Send all other requests in the last millisecond: the window depends on the first request.
      await at(0, accepted, limit - 1);
      for (let left = limit - 2; left >= 0; left -= 1) await at(end - 1, accepted, left);
      const last = await at(end - 1, refused, 0);
      assert.equal(last.headers.get('retry-after'), '1');
      assert.equal(told(last).reset, Math.ceil((start + end) / 1000));
      // The next window begins with its own first request and allows the full limit.
      for (let left = limit - 1; left >= 0; left -= 1) await at(end, accepted, left);
      await at(2 * end - 1, refused, 0);
      await at(2 * end, accepted, limit - 1);
    });
  }
});

it('the service logged no errors', () => assert.deepEqual(errors, []));

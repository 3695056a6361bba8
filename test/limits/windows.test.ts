import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { createIntent, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { told } from '../support/clients/limit-headers.ts';
import { callOperation } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Over HTTP, by a clock that stands still: where the window of each limit begins, and the millisecond in which it ends.

const world = await startWorld({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
const { url, clock, errors } = world;

const { confirmUpload, requestUpload, listSpecializations, getMe, listOwnProjects, listLeaderboard } = operations;

type Case = {
  limit: number;
  seconds: number;
  /** Of somebody who has asked for nothing yet. */
  caller(): Promise<() => Promise<Answer>>;
  /** What is accepted, and what is not. */
  statuses: [number, number];
  /** The answer tells of another limit first. */
  behindAnother?: true;
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
    async caller() {
      const key = await agentKey();
      return () => callOperation(url, requestUpload, { key });
    },
  },
  'failed payments': {
    limit: 10,
    seconds: 3600,
    statuses: [402, 429],
    behindAnother: true,
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
      // In the middle of a second, of a minute and of an hour: no limit goes by those.
      const start = Math.ceil(clock.now().getTime() / 3_600_000) * 3_600_000 + 1_234_567;
      const at = async (ms: number, status: number, remaining: number) => {
        const answer = await clock.at(start + ms, ask);
        assert.equal(answer.status, status, `${ms} ms: ${JSON.stringify(answer.body.error)}`);
        if (!behindAnother || status === 429) assert.equal(told(answer).remaining, remaining, `${ms} ms`);
        return answer;
      };
      const end = seconds * 1000;
      // All but the first in its last millisecond: the window goes by the first.
      await at(0, accepted, limit - 1);
      for (let left = limit - 2; left >= 0; left -= 1) await at(end - 1, accepted, left);
      const last = await at(end - 1, refused, 0);
      assert.equal(last.headers.get('retry-after'), '1');
      assert.equal(told(last).reset, Math.ceil((start + end) / 1000));
      // The next one has its own first request, and all that the limit allows.
      for (let left = limit - 1; left >= 0; left -= 1) await at(end, accepted, left);
      await at(2 * end - 1, refused, 0);
      await at(2 * end, accepted, limit - 1);
    });
  }
});

it('the service logged no errors', () => assert.deepEqual(errors, []));

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import type { DeliveryOutcome } from '../../server/webhooks/types.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  expectStatus,
  openProject,
  registerAgent,
  type Registered,
  specifiedWebhook,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Forty agents register webhooks at a host that never asked for them, and their owner opens and cancels projects.

const REFUSED: DeliveryOutcome = { status: 404, failure: 'status', latencyMs: 5, answer: 'no' };
const MINUTE_MS = 60_000;
const PATH = '/agents/webhooks/projects';

const requests: { url: string; at: number }[] = [];
let inFlight = 0;
let accepting: ((url: string) => boolean) | null = null;

const world = await startWorld({
  // The bounds of this file are those of endpoints and hosts, and not those of agents.
  env: { LIMIT_AGENT_PER_MINUTE: '2000' },
  wrap: ({ clock: serviceClock }) => ({
    webhookTarget: async () => ({ network: '203.0.113.0/24', failure: null }),
    async deliverWebhook({ url }) {
      requests.push({ url, at: serviceClock.now().getTime() });
      inFlight += 1;
      await sleep(30);
      inFlight -= 1;
      return accepting?.(url) ? { ...REFUSED, status: 200, failure: null } : REFUSED;
    },
  }),
});
const { url, service, clock } = world;
const { db } = service.deps;

const register = ({ key }: Registered, webhookUrl: string) =>
  call(url, 'POST', PATH, { key, body: { webhook_url: webhookUrl } });

/** Waits until the sender has nothing to do at the current time. */
async function settled(): Promise<void> {
  await until('the sender is idle', async () => {
    // A delivery that is queued while this question waits for its connection is due a little later.
    const now = new Date(clock.now().getTime() + 1_000);
    const [row] = await db<[{ open: boolean }]>`
      select (select last from event_head) > (select position from event_consumers where name = 'webhooks')
        or exists (select 1 from events where seq is null and (visible_at is null or visible_at <= ${now}))
        or exists (select 1 from webhook_deliveries where due_at <= ${now}) as open`;
    return !row.open && inFlight === 0;
  });
}

const cancel = ({ id, poster }: Awaited<ReturnType<typeof openProject>>) =>
  call(url, 'POST', `/posters/me/projects/${id}/cancel`, { key: poster.key, body: {} });

const deadline = new Date(Date.now() + 6 * 60 * MINUTE_MS);
const agents = await Promise.all(Array.from({ length: 40 }, () => registerAgent(url)));

describe('a host that never accepted an event', () => {
  it('gets at most 20 webhooks, however its name is spelled', async () => {
    const spellings = [
      'victim.example',
      'VICTIM.example',
      'victim.example.',
      'victim.ex%61mple',
      'victim.example:8443',
    ];
    const answers = await Promise.all(
      agents.map(async (agent, index) =>
        register(agent, `https://${spellings[index % spellings.length]}/hooks/${index}`),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 20);
    for (const answer of refused) codeIs(answer, 409, 'WEBHOOK_HOST_LIMIT', /20 webhooks at victim\.example/);
  });

  it('gets at most 100 requests in an hour, however many projects open and end', async () => {
    for (const minute of [0, 1, 6, 36, 59]) {
      await settled();
      const since = clock.now().getTime() - (requests[0]?.at ?? clock.now().getTime());
      clock.offsetMs += Math.max(0, minute * MINUTE_MS - since);
      await openProject(world, { deadline });
      const ended = await openProject(world, { deadline });
      expectStatus(await cancel(ended), 200);
      await settled();
    }
    const start = requests[0]!.at;
    assert.ok(requests.every(({ at }) => at < start + 60 * MINUTE_MS));
    assert.ok(requests.length >= 40 && requests.length <= 100, `${requests.length} requests`);
  });

  it('is trusted after its first success: the newest waiting events of open projects arrive', async () => {
    const index = agents.findIndex((_, each) => requests.some(({ url: sent }) => sent.endsWith(`/hooks/${each}`)));
    const { key } = agents[index]!;
    // The URL got its five requests of the hour. A minute later, the first of them is an hour old.
    clock.offsetMs += MINUTE_MS;
    accepting = (to) => to.endsWith(`/hooks/${index}`);
    const before = requests.length;
    const hook = await specifiedWebhook(url, key);
    assert.equal(hook?.verified_at, null);
    const tested = expectStatus(await call(url, 'POST', `/agents/me/webhooks/${hook?.id}/test`, { key }), 200).body
      .data;
    assert.equal(tested.delivered, true);
    await until('the waiting events', async () => requests.length >= before + 5);
    await settled();
    assert.notEqual((await specifiedWebhook(url, key))?.verified_at, null);
    const arrived = requests.slice(before).filter(({ url: sent }) => sent.endsWith(`/hooks/${index}`));
    // The test, and the five projects that are open. The first one was on its way; its next attempt may be due by now.
    assert.ok(arrived.length >= 5 && arrived.length <= 7, `${arrived.length}`);
  });
});

type Tester = Registered & { hook: string };
const sendTest = ({ key, hook }: Tester) => call(url, 'POST', `/agents/me/webhooks/${hook}/test`, { key });

/** The requests of this test to a host. */
const requestsTo = (host: string) => requests.filter(({ url: sent }) => new URL(sent).hostname === host);

/** Sends tests of these agents, all at once, until the service sends none any more. Returns the answers of the last round. */
async function testUntilRefused(senders: Tester[], host: string): Promise<Answer[]> {
  for (let round = 0; round < 60; round += 1) {
    const answers = await Promise.all(senders.map(sendTest));
    if (answers.every(({ status }) => status === 429)) return answers;
  }
  throw new Error(`${requestsTo(host).length} requests, and still no end`);
}

describe('a URL that never accepted an event', () => {
  it('gets five tests and events an hour together, and its host 100', async () => {
    const host = 'tested.example';
    const testers: Tester[] = [];
    for (let index = 0; index < 20; index += 1) {
      const agent = await registerAgent(url);
      const { body } = expectStatus(await register(agent, `https://${host}/${index}`), 201);
      testers.push({ ...agent, hook: body.data.subscription_id });
    }
    await openProject(world, { deadline });
    await settled();
    assert.equal(requestsTo(host).length, 40);
    for (const answer of await testUntilRefused(testers, host)) {
      codeIs(answer, 429, 'RATE_LIMIT_EXCEEDED', /at most 5 requests an hour, tests and events together/);
      const seconds = Number(answer.headers.get('retry-after'));
      assert.ok(seconds > 3_000 && seconds <= 3_600, `${seconds} s`);
    }
    assert.equal(requestsTo(host).length, 100);
    // The retries of the event wait for their turn, too.
    for (const minutes of [1, 5, 30]) {
      clock.offsetMs += minutes * MINUTE_MS;
      await settled();
    }
    assert.equal(requestsTo(host).length, 100);
    clock.offsetMs += 25 * MINUTE_MS;
    await settled();
    assert.ok(requestsTo(host).length > 100);
  });
});

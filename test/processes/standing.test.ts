import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { expectStatus, registerAgent, type Registered } from '../support/clients/journey.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Two processes on one database: a change in one takes effect in the other within 1 s, while the agent sends requests
// without pause.

const WITHIN_MS = 1_000;
const MANY = '1000000';
const ground = await prepareWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: MANY, LIMIT_AGENT_READS_PER_MINUTE: MANY },
});
const [here, there] = await Promise.all([ground.start(), ground.start()]);
const { operatorKey: key } = ground;

const codeOf = ({ status, body }: Answer) => (status < 400 ? 'ok' : String(body.error.code));

/**
 * Measures how long the other process gave the old answer after the change. From then on, it must never give that
 * answer again. The agent keeps asking the other process, so that its cached key does not expire.
 */
async function timeUntilKnown(agent: Registered, change: () => Promise<Answer>, before: string): Promise<number> {
  const ask = async () => codeOf(await call(there.url, 'GET', '/agents/projects', { key: agent.key }));
  for (let asked = 0; asked < 20; asked += 1) assert.equal(await ask(), before);
  let changed = Number.POSITIVE_INFINITY;
  const changing = (async () => {
    expectStatus(await change(), 200);
    changed = performance.now();
  })();
  let known = Number.NaN;
  while (Number.isNaN(known)) {
    const askedAt = performance.now();
    if ((await ask()) !== before) known = Math.max(0, askedAt - changed);
    assert.ok(performance.now() - changed < 10 * WITHIN_MS, 'it never heard of it');
  }
  await changing;
  for (let asked = 0; asked < 100; asked += 1) assert.notEqual(await ask(), before);
  return known;
}

describe('within a second the other process applies', () => {
  const setStatus = (id: string, status: string) =>
    call(here.url, 'PUT', `/operator/agents/${id}/status`, { key, body: { status, reason: 'A test' } });

  // Repeat the change, because the time of the other process's last look is random.
  for (let round = 1; round <= 2; round += 1) {
    it(`a suspension of an agent and its end (${round})`, async () => {
      const agent = await registerAgent(here.url);
      const suspended = await timeUntilKnown(agent, () => setStatus(agent.id, 'suspended'), 'ok');
      assert.ok(suspended < WITHIN_MS, `${suspended} ms`);
      const free = await timeUntilKnown(agent, () => setStatus(agent.id, 'active'), 'AGENT_SUSPENDED');
      assert.ok(free < WITHIN_MS, `${free} ms`);
    });

    it(`a revoked key (${round})`, async () => {
      const agent = await registerAgent(here.url);
      const id = agent.key.split('_')[2]!;
      const revoke = () => call(here.url, 'DELETE', `/agents/me/keys/${id}`, { key: agent.key });
      const revoked = await timeUntilKnown(agent, revoke, 'ok');
      assert.ok(revoked < WITHIN_MS, `${revoked} ms`);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { expectStatus, registerAgent, type Registered } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Two processes on one database: a change in one takes effect in the other, although the other caches keys and the agent
// sends requests without pause.

const MANY = '1000000';
const ground = await prepareWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: MANY, LIMIT_AGENT_READS_PER_MINUTE: MANY },
});
const [here, there] = await Promise.all([ground.start(), ground.start()]);
const { operatorKey: key } = ground;

/** The other process gives the old answer before the change, soon the new one, and never the old one again. */
async function assertApplied(agent: Registered, change: () => Promise<Answer>, codes: [string, string]) {
  const ask = async () => {
    const { status, body } = await call(there.url, 'GET', '/agents/projects', { key: agent.key });
    return status < 400 ? 'ok' : String(body.error.code);
  };
  assert.equal(await ask(), codes[0]);
  expectStatus(await change(), 200);
  await until('the other process knows', async () => (await ask()) === codes[1]);
  for (let asked = 0; asked < 50; asked += 1) assert.equal(await ask(), codes[1]);
}

describe('another process applies', () => {
  const setStatus = (id: string, status: string) =>
    call(here.url, 'PUT', `/operator/agents/${id}/status`, { key, body: { status, reason: 'A test' } });

  it('a suspension of an agent, and its end', async () => {
    const agent = await registerAgent(here.url);
    await assertApplied(agent, () => setStatus(agent.id, 'suspended'), ['ok', 'AGENT_SUSPENDED']);
    await assertApplied(agent, () => setStatus(agent.id, 'active'), ['AGENT_SUSPENDED', 'ok']);
  });

  it('a revoked key', async () => {
    const agent = await registerAgent(here.url);
    const id = agent.key.split('_')[2]!;
    const revoke = () => call(here.url, 'DELETE', `/agents/me/keys/${id}`, { key: agent.key });
    await assertApplied(agent, revoke, ['ok', 'INVALID_API_KEY']);
  });
});

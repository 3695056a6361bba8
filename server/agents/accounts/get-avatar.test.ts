import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { createAgent } from './create-agent.ts';
import { getAvatar } from './get-avatar.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';

const { db } = await testDatabase();
const world = agentsWorld(db);
const { params } = agentOperations.getAvatar;
const avatar = (agent_id: string) => getAvatar(world.anyone, { params: params.parse({ agent_id }) });

async function register(): Promise<string> {
  const body = {
    agent_name: '<script>alert(1)</script>',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
  };
  return (await createAgent(world.anyone, { body: agentOperations.createAgent.body.parse(body) })).agentId;
}

describe('getAvatar', () => {
  it('contains no script and no text that the agent wrote', async () => {
    const picture = await avatar(await register());
    assert.doesNotMatch(picture, /<script|\son\w+=|javascript:|alert|href=|<foreignObject/i);
  });

  it('throws AGENT_NOT_FOUND for an unknown agent, and accepts only a UUID', async () => {
    await assert.rejects(avatar('01980000-0000-7000-8000-000000000000'), { code: 'AGENT_NOT_FOUND' });
    for (const agent_id of ['', 'me', '../../keys', "' or true --", '01980000-0000-7000-8000-00000000000']) {
      assert.equal(params.safeParse({ agent_id }).success, false, agent_id);
    }
  });
});

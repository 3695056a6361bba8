import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { createActivity } from './activity.ts';
import { createAgent } from './create-agent.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';

const { db } = await testDatabase();

async function setUp(agents: number) {
  const world = agentsWorld(db);
  const body = {
    agent_name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
  };
  const registered = Array.from({ length: agents }, () =>
    createAgent(world.anyone, { body: agentOperations.createAgent.body.parse(body) }),
  );
  const ids = (await Promise.all(registered)).map((answer) => answer.agentId);
  return { ...world, ids, activity: createActivity(world.deps) };
}

const callerOf = (agentId: string) => ({ agentId, keyId: 'none' });

async function lastActive(agentId: string): Promise<Date> {
  const [row] = await db<{ at: Date }[]>`select last_active_at as at from agents where id = ${agentId}`;
  return row?.at ?? assert.fail('no such agent');
}

describe('activity', () => {
  it('writes the latest activity of each active agent, and of no other agent', async () => {
    const { ids, activity, advance, at } = await setUp(3);
    const [first = '', second = '', absent = ''] = ids;
    advance(1000);
    activity.record(callerOf(first));
    activity.record(callerOf(second));
    advance(1000);
    activity.record(callerOf(second));
    await activity.flush();
    assert.deepEqual(await Promise.all([first, second, absent].map(lastActive)), [at(-1000), at(0), at(-2000)]);
  });
});

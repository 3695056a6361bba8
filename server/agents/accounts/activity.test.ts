import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { createPool } from '../../db/pool.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { createActivity } from './activity.ts';
import { createAgent } from './create-agent.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';

const { db, url } = await testDatabase();

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

  it('writes each time once', async () => {
    const { ids, activity, advance } = await setUp(1);
    const [agentId = ''] = ids;
    advance(1000);
    activity.record(callerOf(agentId));
    await activity.flush();
    await db`update agents set last_active_at = '2020-01-01' where id = ${agentId}`;
    await activity.flush();
    assert.equal((await lastActive(agentId)).getUTCFullYear(), 2020);
  });

  it('never replaces a later time that another process wrote', async () => {
    const { ids, activity, advance, at } = await setUp(1);
    const [agentId = ''] = ids;
    activity.record(callerOf(agentId));
    await db`update agents set last_active_at = ${at(5000)} where id = ${agentId}`;
    await activity.flush();
    advance(5000);
    assert.deepEqual(await lastActive(agentId), at(0));
  });

  it('keeps times that a failing database did not store', async () => {
    const { ids, advance, at, activity } = await setUp(2);
    const [first = '', second = ''] = ids;
    advance(1000);
    activity.record(callerOf(first));
    await db`alter table agents rename to agents_gone`;
    await assert.rejects(activity.flush(), { code: '42P01' });
    activity.record(callerOf(second));
    await db`alter table agents_gone rename to agents`;
    await activity.flush();
    assert.deepEqual(await Promise.all([first, second].map(lastActive)), [at(0), at(0)]);
  });

  it('writes when each key was last used, and never an earlier time', async () => {
    const { ids, activity, advance, at } = await setUp(2);
    const [first = '', second = ''] = ids;
    const keyOf = async (agentId: string) => {
      const [row] = await db<{ keyId: string; at: Date | null }[]>`
        select id as "keyId", last_used_at as at from agent_keys where agent_id = ${agentId}`;
      return row ?? assert.fail('no key');
    };
    const { keyId } = await keyOf(first);
    activity.record({ agentId: first, keyId });
    await activity.flush();
    advance(1000);
    activity.record({ agentId: first, keyId });
    await db`update agent_keys set last_used_at = ${at(9000)} where id = ${keyId}`;
    await activity.flush();
    assert.deepEqual([(await keyOf(first)).at, (await keyOf(second)).at], [at(9000), null]);
  });

  it('writes thousands of agents, skips deleted ones, and does not deadlock with a second process', async () => {
    const { ids, advance, at, deps } = await setUp(40);
    const other = createPool({ url, connections: 2 });
    const rows = await db<{ id: string; agentId: string }[]>`select id, agent_id as "agentId" from agent_keys`;
    const keys = new Map(rows.map(({ id, agentId }) => [agentId, id]));
    const processes = [createActivity(deps), createActivity({ ...deps, db: other })];
    for (let round = 0; round < 5; round += 1) {
      advance(1000);
      for (const [index, process] of processes.entries()) {
        const order = index === 0 ? ids : ids.toReversed();
        for (const id of order) process.record({ agentId: id, keyId: keys.get(id) ?? '' });
        for (let gone = 0; gone < 1500; gone += 1) process.record(callerOf(deps.newId()));
      }
      await Promise.all(processes.map((process) => process.flush()));
    }
    assert.deepEqual(
      await Promise.all(ids.map(lastActive)),
      ids.map(() => at(0)),
    );
    await other.end();
  });
});

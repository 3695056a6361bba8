import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { insertPoster, insertProject, insertSubmission } from '../../../test/support/rows/rows.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { createPool } from '../../db/pool.ts';
import { specializationCatalog, unknownSpecializations } from '../accounts/specializations.ts';
import { getMe } from './get-me.ts';
import { refreshFigures } from '../rankings/figures-queries.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';

const { db, url } = await testDatabase();
const world = agentsWorld(db);
const { register } = world;
const DAY = 86_400_000;

async function profile({ agentId, apiKey }: { agentId: string; apiKey: string }) {
  return agentOperations.getMe.output.parse(await getMe(world.as(agentId, apiKey), {}));
}

/** Creates an entry in a new project; `submittedAt` is null for an intent. */
async function enter(agentId: string, submittedAt: Date | null): Promise<string> {
  const created = world.at(-90 * DAY);
  const project_id = await insertProject(db, created, { poster_id: await insertPoster(db, created) });
  const entry = {
    project_id,
    agent_id: agentId,
    status: submittedAt ? 'submitted' : 'pending',
    submitted_at: submittedAt,
  };
  const id = await insertSubmission(db, created, entry);
  await db.begin(async (tx) => await refreshFigures(tx, [agentId]));
  return id;
}

describe('getMe', () => {
  it('shows the settings and the next tier of a new agent', async () => {
    const { agent, wallet, tier_progress } = await profile(await register());
    assert.deepEqual(agent.settings, {
      autoParticipate: false,
      filterWebhooks: false,
      maxConcurrentProjects: 5,
      minBudget: 0,
      maxBudget: 1_000_000,
      preferredCategories: [],
      workingHours: { timezone: 'UTC', start: '00:00', end: '23:59', weekends: true },
    });
    assert.deepEqual([wallet.address, wallet.linked, wallet.proven, wallet.minBalance], [null, false, false, 1]);
    assert.deepEqual(tier_progress, {
      next: 'pro',
      wins: 0,
      wins_needed: 10,
      earned: 0,
      earned_needed: 500,
      posters: 0,
      posters_needed: 1,
    });
  });

  it('counts the agent’s own projects and confirmed submissions, in total and of the last 7 and 30 days', async () => {
    const [agent, other] = [await register(), await register()];
    const submitted = [0, -6.9, -7, -7.1, -29.9, -30.1, -80].map((days) => world.at(days * DAY));
    for (const at of [...submitted, null, null]) await enter(agent.agentId, at);
    await enter(other.agentId, world.at(0));
    const { analytics, recentActivity } = (await profile(agent)).agent;
    assert.deepEqual([analytics.totalProjects, analytics.totalSubmissions], [9, 7]);
    assert.deepEqual([recentActivity.last7Days.submissions, recentActivity.last30Days.submissions], [3, 5]);
  });

  it('counts wins of the last 7 and 30 days by decision time, and earnings by payment time', async () => {
    const [agent, other] = [await register(), await register()];
    const decide = async (agentId: string, days: { decided: number; paid?: number }, outcome: string, micro = 0) => {
      const id = await enter(agentId, world.at(-80 * DAY));
      const paidAt = days.paid === undefined ? null : world.at(days.paid * DAY);
      await db`
        update submissions
        set outcome = ${outcome}, decided_at = ${world.at(days.decided * DAY)}, earnings_micro = ${micro}, paid_at = ${paidAt}
        where id = ${id}`;
    };
    await decide(agent.agentId, { decided: -7, paid: -6.9 }, 'won', 1_000_000);
    await decide(agent.agentId, { decided: -7.1, paid: -7 }, 'won', 2_000_000);
    await decide(agent.agentId, { decided: -30, paid: -7.1 }, 'won', 4_000_000);
    await decide(agent.agentId, { decided: -31, paid: -30 }, 'shared', 8_000_000);
    await decide(agent.agentId, { decided: -1 }, 'won', 16_000_000);
    await decide(agent.agentId, { decided: -40, paid: -31 }, 'won', 32_000_000);
    for (const outcome of ['lost', 'shared', 'cancelled']) await decide(agent.agentId, { decided: -1 }, outcome);
    await decide(other.agentId, { decided: -1, paid: -1 }, 'won', 64_000_000);
    const { last7Days, last30Days } = (await profile(agent)).agent.recentActivity;
    assert.deepEqual(
      [last7Days, last30Days],
      [
        { submissions: 0, wins: 2, earnings: 3 },
        { submissions: 0, wins: 4, earnings: 15 },
      ],
    );
  });
});

it('an agent selects no unknown or retired specialization; the catalog still describes the retired ones', async () => {
  await db`update specializations set active = false where id = 'comic-art'`;
  const fresh = { ...world.deps, db: createPool({ url, connections: 1 }) };
  const ids = ['logo-design', 'comic-art', 'toString', '__proto__', ''];
  assert.deepEqual(await unknownSpecializations(fresh, ids), ids.slice(1));
  const { id, name, category } = (await specializationCatalog(fresh)).get('comic-art') ?? assert.fail();
  assert.deepEqual([id, name, category], ['comic-art', 'Comic Art', 'Art']);
  await fresh.db.end();
});

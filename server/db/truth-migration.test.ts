import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../test/support/test-database.ts';
import { checkStats } from '../agents/rankings/check-stats.ts';
import { findRankings, toRankings } from '../agents/rankings/rankings.ts';
import { migrate } from './migrate.ts';

// A database as the version before 0021_truth.sql left it: cancelled projects without time and author, stats that count the
// first specialization alone, and tiers that no list of awards explains.

const AT = new Date('2026-02-01T12:00:00.000Z');
const { db } = await testDatabase({ last: '0013_judging.sql' });
const [posterId, agentId, otherId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
const WALLET = `0x${'f'.repeat(40)}`;

type Project = { status: string; specializations?: string[]; cancelReason?: string };

async function project({ status, specializations = ['logo-design'], cancelReason }: Project): Promise<string> {
  const id = randomUUIDv7();
  const published = { published_at: AT, visible_at: AT, network: 'eip155:84532', asset: WALLET, pay_to: WALLET };
  const brief = {
    title: 'A logo',
    description: 'A logo for a bakery',
    requirements: '',
    specializations,
    item_count: 1,
  };
  const wishes = {
    style_references: [],
    color_preferences: [],
    size_requirements: '',
    tags: [],
    ai_analysis: db.json({}),
  };
  const money = { prize_micro: 5_000_000, entry_fee_micro: 0, platform_fee_ppm: 50_000, funding_wallet: WALLET };
  const times = { auto_select_deadline: AT, judging_hours: 72, created_at: AT, updated_at: AT };
  const own = { id, poster_id: posterId, status, cancel_reason: cancelReason ?? null };
  const row = { ...own, ...brief, ...wishes, ...money, ...times, ...published };
  await db`insert into projects ${db(row)}`;
  return id;
}

async function moved(projectId: string, to: string, actor: string, minutes: number): Promise<void> {
  const at = new Date(AT.getTime() + minutes * 60_000);
  await db`
    insert into project_transitions (project_id, from_status, to_status, actor, at)
    values (${projectId}, 'open', ${to}, ${actor}, ${at})`;
}

type Entry = { agent?: string; outcome?: string; score?: number; earnedMicro?: number; paid?: boolean };

async function entry(projectId: string, { agent = agentId, outcome, score, earnedMicro = 0, paid }: Entry) {
  const own = { id: randomUUIDv7(), project_id: projectId, agent_id: agent, title: 'Entry', status: 'submitted' };
  const times = { created_at: AT, submitted_at: AT, decided_at: outcome ? AT : null, paid_at: paid ? AT : null };
  const review = { score: score ?? null, score_source: score ? 'poster' : null, scored_at: score ? AT : null };
  const row = { ...own, ...times, ...review, outcome: outcome ?? null, earnings_micro: earnedMicro };
  await db`insert into submissions ${db(row)}`;
}

it('brings the rows of an older version up to date', async () => {
  await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', ${AT})`;
  for (const [id, tier] of [
    [agentId, 'starter'],
    [otherId, 'elite'],
  ] as const)
    await db`
      insert into agents (id, name, description, specializations, settings, tier, total_projects, total_wins, earned_micro,
        pending_micro, scored_count, score_sum, created_at, last_active_at)
      values (${id}, 'Ada', 'Draws', '{logo-design}', '{}', ${tier}, ${id === agentId ? 4 : 1}, ${id === agentId ? 2 : 0},
        ${id === agentId ? 3_000_000 : 0}, ${id === agentId ? 2_000_000 : 1_000_000}, ${id === agentId ? 1 : 0},
        ${id === agentId ? 4 : 0}, ${AT}, ${AT})`;
  const both = ['illustration', 'logo-design', 'comic-art'];
  const cancelled = {
    poster: await project({ status: 'cancelled', cancelReason: 'No budget' }),
    operator: await project({ status: 'cancelled', cancelReason: 'A copy' }),
    timer: await project({ status: 'cancelled' }),
  };
  await moved(cancelled.poster, 'cancelled', `poster:${posterId}`, 1);
  await moved(cancelled.operator, 'judging', 'timer', 1);
  await moved(cancelled.operator, 'cancelled', 'operator', 2);
  await moved(cancelled.timer, 'cancelled', 'timer', 3);
  const [paid, owed, lost] = [
    await project({ status: 'completed', specializations: both }),
    await project({ status: 'completed' }),
    await project({ status: 'completed' }),
  ];
  await entry(paid, { outcome: 'won', score: 4, earnedMicro: 3_000_000, paid: true });
  await entry(owed, { outcome: 'won', earnedMicro: 2_000_000 });
  await entry(owed, { agent: otherId, outcome: 'shared', earnedMicro: 1_000_000 });
  await entry(lost, { outcome: 'lost' });
  await entry(cancelled.operator, { outcome: 'cancelled', score: 2 });
  // The old stats know the category of the first specialization alone.
  await db`
    insert into agent_categories (agent_id, category, submissions, wins, earned_micro, scored_count, score_sum) values
      (${agentId}, 'Art', 1, 1, 3000000, 1, 4), (${agentId}, 'Symbols & Corporate', 3, 1, 0, 0, 0),
      (${otherId}, 'Symbols & Corporate', 1, 0, 0, 0, 0)`;
  await db`
    insert into earnings_ranks (scope, level, bucket, agents)
    select scope, level, 3000000::bigint >> (6 * level), 1
    from unnest(array['overall', 'Art']) scope, generate_series(0, 8) level`;

  await migrate(db);

  const times = await db<{ id: string; at: Date; by: string; reason: string | null }[]>`
    select id, cancelled_at as at, cancelled_by as by, cancel_reason as reason from projects where status = 'cancelled'`;
  const told = (id: string) => times.filter((row) => row.id === id).map(({ at, by, reason }) => [at, by, reason]);
  const after = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
  assert.deepEqual(told(cancelled.poster), [[after(1), 'poster', 'No budget']]);
  assert.deepEqual(told(cancelled.operator), [[after(2), 'operator', 'A copy']]);
  assert.deepEqual(told(cancelled.timer), [[after(3), 'timer', null]]);
  const [untouched] = await db<{ at: Date | null }[]>`select cancelled_at as at from projects where id = ${paid}`;
  assert.equal(untouched?.at, null);

  const categories = await db<{ categories: string[] }[]>`
    select categories from submissions where project_id = ${paid}`;
  assert.deepEqual(categories[0]?.categories, ['Art', 'Symbols & Corporate']);
  const { overall, category } = toRankings(await findRankings(db, agentId));
  assert.deepEqual([overall, category], [1, { Art: 1, 'Symbols & Corporate': 1 }]);

  // Earlier results count toward the tiers of their agents; an elite agent needs no list.
  const awards = await db<{ agent: string; project: string; won: boolean; earned: number }[]>`
    select agent_id as agent, project_id as project, won, earned_micro as earned from agent_tier_awards order by 4 desc`;
  assert.deepEqual(
    awards.map((award) => ({ ...award })),
    [
      { agent: agentId, project: paid, won: true, earned: 3_000_000 },
      { agent: agentId, project: owed, won: true, earned: 0 },
    ],
  );

  // The nightly check recomputes all of it.
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  await checkStats({ db, clock: { now: () => AT }, log }, new AbortController().signal);
  assert.deepEqual(lines, []);
});

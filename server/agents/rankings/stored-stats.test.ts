import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pino from 'pino';
import { checkStats } from './check-stats.ts';
import { toRankings, findRankings } from './rankings.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { withTransaction } from '../../db/transaction.ts';
import { payoutsOfProjects } from '../../payouts/queries.ts';
import { HOUR_MS, judgingWorld } from '../../../test/support/worlds/judging-world.ts';
import { settledPayoutHandler } from '../../judging/settled-payout-handler.ts';
import { toldEvents } from '../../../test/support/told-events.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { settled } = settledPayoutHandler(world.deps);
const DAY_MS = 24 * HOUR_MS;

/** A random generator with a seed, so that a failed run can be repeated. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, pick: <T>(items: readonly T[]): T => items[below(items.length)]! };
}

async function settle(projectId: string, which: (index: number) => boolean): Promise<void> {
  const payouts = await payoutsOfProjects(db, [projectId]);
  for (const [index, payout] of payouts.entries()) {
    if (payout.kind === 'refund' || payout.state === 'settled' || !which(index)) continue;
    await withTransaction(db, async (tx) => {
      const settlement = { settledAt: world.at(), recipient: `0x${'c'.repeat(40)}`, txHash: `0x${'9'.repeat(64)}` };
      await tx`
        update payouts set state = 'settled', recipient = ${settlement.recipient}, sent_at = ${settlement.settledAt},
          settled_at = ${settlement.settledAt}, tx_hash = ${settlement.txHash} where id = ${payout.id}`;
      await settled(tx, { ...payout, state: 'settled', ...settlement });
    });
  }
}

/** Runs the check on a new day; returns its result and what it logged. */
async function check() {
  world.advance(DAY_MS);
  const lines: { alert?: string; subject?: string; kept?: unknown; recomputed?: unknown }[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line) as object) });
  await checkStats({ ...world.deps, log }, new AbortController().signal);
  const [row] = await db<{ mismatches: number; agents: number; finished: boolean }[]>`
    select mismatches, agents, finished_at is not null as finished from figure_checks order by day desc limit 1`;
  return { logged: lines.filter(({ alert }) => alert === 'figures_mismatch'), ...row! };
}

const specializations = ['logo-design', 'illustration', 'poster-design', 'banner-ads'];

async function live(seed: number, projects: number, agentIds: string[]): Promise<void> {
  const { below, pick } = randomOf(seed);
  for (let count = 0; count < projects; count += 1) {
    const chosen = [...new Set([pick(specializations), pick(specializations), pick(specializations)])];
    const fields = { specializations: chosen, prize_amount: 1 + below(3) };
    const projectId = await world.openProject(fields);
    const entered = agentIds.filter(() => below(3) > 0);
    const entries = [];
    for (const agentId of entered) {
      const score = below(3) === 0 ? {} : { score: 1 + below(5) };
      const entry = await world.enter(projectId, { agentId, confirmed: below(5) > 0, fee: 'none', ...score });
      const [row] = await db<{ status: string }[]>`select status from submissions where id = ${entry.id}`;
      if (row?.status === 'submitted') entries.push(entry);
      world.advance(1000);
    }
    const ending = below(6);
    if (ending === 0 || entries.length === 0) {
      await world.operatorCancel(projectId);
      continue;
    }
    await world.close(projectId);
    if (ending === 1) continue;
    if (ending === 2) {
      await world.operatorCancel(projectId);
      continue;
    }
    if (entries.length > 1 && below(3) === 0) await world.disqualify(projectId, entries.pop()!.id);
    if (ending === 3)
      await db`update submissions set score = null, score_source = null, scored_at = null where project_id = ${projectId}`;
    if (ending <= 4) {
      world.advance(73 * HOUR_MS);
      await world.advanceProjects();
    } else await world.choose(projectId, pick(entries).id);
    const all = below(2) === 0;
    await settle(projectId, () => all || below(2) === 0);
  }
}

describe('stored stats', () => {
  const agentIds: string[] = [];

  for (const seed of [1, 2, 3]) {
    it(`match a recomputation, and ranks match a count, after random events (seed ${seed})`, async () => {
      for (let count = 0; count < 4; count += 1) agentIds.push(await world.newAgent());
      // An agent without any entry.
      await world.newAgent();
      await live(seed, 12, agentIds);
      const { logged, ...result } = await check();
      assert.deepEqual(logged, []);
      assert.equal(result.finished && result.mismatches === 0, true);
      const agents = await db<{ id: string; earned: number }[]>`select id, earned_micro as earned from agents`;
      assert.equal(result.agents, agents.length);
      assert.ok(agents.some(({ earned }) => earned > 0) && agents.some(({ earned }) => earned === 0));
      const inCategories = await db<{ id: string; category: string; earned: number }[]>`
        select agent_id as id, category, sum(earned)::bigint as earned
        from (
          select distinct s.id, s.agent_id, category, case when paid_at is null then 0 else earnings_micro end as earned
          from submissions s join projects p on p.id = s.project_id
          join specializations sp on sp.id = any(p.specializations)
          where s.status = 'submitted'
        ) entered group by 1, 2`;
      for (const { id, earned } of agents) {
        const more = agents.filter((other) => other.earned > earned).length;
        const less = agents.filter((other) => other.earned < earned).length;
        const category = Object.fromEntries(
          inCategories
            .filter((own) => own.id === id)
            .map((own) => [
              own.category,
              1 + inCategories.filter((each) => each.category === own.category && each.earned > own.earned).length,
            ]),
        );
        assert.deepEqual(toRankings(await findRankings(db, id)), {
          overall: more + 1,
          category,
          percentile: earned === 0 ? 0 : Math.floor((10_000 * less) / (agents.length - 1)) / 100,
        });
      }
    });
  }

  it('match after confirmations, awards, and payouts of the same agents at once, without a deadlock', async () => {
    const rivals = [await world.newAgent(), await world.newAgent()];
    const two = ['logo-design', 'illustration'];
    const open = async (index: number) =>
      await world.openProject({ specializations: index % 2 === 0 ? two : two.toReversed(), prize_amount: 1 });
    const numbers = Array.from({ length: 6 }, (_, index) => index);
    const judged: { id: string; entries: string[] }[] = [];
    for (const index of numbers) {
      const id = await open(index);
      const entries = [];
      for (const agentId of rivals) entries.push((await world.enter(id, { agentId, fee: 'none' })).id);
      await world.close(id);
      judged.push({ id, entries });
    }
    const others = [];
    for (const index of numbers) others.push(await open(index));
    await Promise.all([
      ...judged.map(async ({ id, entries }, index) => {
        await world.choose(id, entries[index % 2]!);
        await settle(id, () => true);
      }),
      ...others.flatMap((id) => rivals.map((agentId) => world.enter(id, { agentId, fee: 'none' }))),
    ]);
    assert.deepEqual((await check()).logged, []);
    const totals = await db<{ submissions: number; wins: number; counted: number }[]>`
      select total_submissions as submissions, total_wins as wins,
        (select count(*) from agent_tier_awards where agent_id = id and earned_micro = 950000) as counted
      from agents where id = any(${rivals})`;
    assert.deepEqual(
      totals.map((row) => ({ ...row })),
      [12, 12].map((submissions) => ({ submissions, wins: 3, counted: 3 })),
    );
    const [{ deadlocks }] = await db<[{ deadlocks: number }]>`
      select deadlocks from pg_stat_database where datname = current_database()`;
    assert.equal(deadlocks, 0);
  });

  it('leave no node without agents in the trees', async () => {
    assert.deepEqual([...(await db`select * from earnings_ranks where agents <= 0`)], []);
  });
});

describe('the nightly check', () => {
  it('logs every kind of wrong value, and does not repair it', async () => {
    const [leader] = await db<{ id: string; earned: number }[]>`
      select id, earned_micro as earned from agents order by earned_micro desc limit 1`;
    const faults = [
      {
        make: 'update agents set total_wins = total_wins + 1 where id = $1',
        undo: 'update agents set total_wins = total_wins - 1 where id = $1',
        subject: /^agent /,
      },
      {
        make: 'update agent_categories set submissions = submissions + 1 where agent_id = $1',
        undo: 'update agent_categories set submissions = submissions - 1 where agent_id = $1',
        subject: /^agent \S+ in /,
      },
      {
        make: 'update agent_tier_awards set earned_micro = earned_micro + 1 where agent_id = $1',
        undo: 'update agent_tier_awards set earned_micro = earned_micro - 1 where agent_id = $1',
        subject: /^agent \S+ in project /,
      },
      {
        make: "update earnings_ranks set agents = agents + 1 where scope = 'overall' and level = 0 and bucket = (select earned_micro from agents where id = $1)",
        undo: "update earnings_ranks set agents = agents - 1 where scope = 'overall' and level = 0 and bucket = (select earned_micro from agents where id = $1)",
        subject: /^rank overall [01] /,
      },
      {
        make: "update earnings_ranks set agents = agents + 1 where scope = 'overall' and level = 8 and $1 <> ''",
        undo: "update earnings_ranks set agents = agents - 1 where scope = 'overall' and level = 8 and $1 <> ''",
        subject: /^rank overall 8 /,
      },
      {
        make: "update agent_counts set agents = agents + 1 where stripe = 0 and $1 <> ''",
        undo: "update agent_counts set agents = agents - 1 where stripe = 0 and $1 <> ''",
        subject: /^agents in all$/,
      },
    ];
    for (const { make, undo, subject } of faults) {
      await db.unsafe(make, [leader!.id]);
      const first = await check();
      assert.ok(first.mismatches > 0 && first.logged.length === first.mismatches);
      for (const line of first.logged) assert.match(line.subject!, subject);
      assert.notDeepEqual(first.logged[0]!.kept, first.logged[0]!.recomputed);
      const alerts = await toldEvents(db, 'ALERT.FIGURES_MISMATCHES');
      const { mismatches } = alerts.at(-1)!.data['details'] as { mismatches: number };
      assert.equal(mismatches, first.mismatches);
      assert.equal((await check()).mismatches, first.mismatches);
      await db.unsafe(undo, [leader!.id]);
      assert.equal((await check()).mismatches, 0);
    }
  });

  it('reports an agent that is missing from every ranking', async () => {
    await db`create table kept_nodes as select * from earnings_ranks`;
    await db`delete from earnings_ranks`;
    assert.ok(
      (await check()).logged.some(({ subject, kept }) => subject?.startsWith('rank overall 0 ') && kept === null),
    );
    await db`insert into earnings_ranks select * from kept_nodes`;
    assert.equal((await check()).mismatches, 0);
  });

  it('runs once a day across all processes, and in another process if the first died during the check', async () => {
    const count = async () => (await db<[{ count: number }]>`select count(*) as count from figure_checks`)[0].count;
    const before = await count();
    world.advance(DAY_MS);
    const run = () => checkStats(world.deps, new AbortController().signal);
    await Promise.all([run(), run(), run()]);
    await run();
    assert.equal(await count(), before + 1);
    world.advance(DAY_MS);
    const day = world.at().toISOString().slice(0, 10);
    await db`insert into figure_checks (day, lease_until, agents) values (${day}, ${world.at(60_000)}, 7)`;
    const finished = async () =>
      (
        await db<
          [{ finished: boolean }]
        >`select finished_at is not null as finished from figure_checks where day = ${day}`
      )[0].finished;
    await run();
    assert.equal(await finished(), false);
    world.advance(60_000);
    await run();
    assert.equal(await finished(), true);
  });

  it('stops between two batches when its process stops, so that another process can start again', async () => {
    world.advance(DAY_MS);
    const stopping = new AbortController();
    stopping.abort();
    await checkStats(world.deps, stopping.signal);
    const newest = async () =>
      (
        await db<[{ finished: boolean; agents: number }]>`
        select finished_at is not null as finished, agents from figure_checks order by day desc limit 1`
      )[0];
    assert.equal((await newest()).finished, false);
    await checkStats(world.deps, new AbortController().signal);
    assert.equal((await newest()).finished, true);
  });
});

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createPool } from '../../server/db/pool.ts';
import { prizeSubject } from '../../server/projects/prize.ts';
import { advancePublicationClock } from '../../server/projects/publication/publication-clock.ts';
import { projectOperations } from '../../contract/projects/projects.ts';
import { searchProjects } from '../../server/projects/search/search-projects.ts';
import type { Context, Deps } from '../../server/deps.ts';
import type { AgentCaller, Tier } from '../../server/ports/callers.ts';
import { testDatabase } from '../support/test-database.ts';
import { FUNDER, projectsWorld, START } from '../support/worlds/projects-world.ts';

// Two processes publish drafts that are a week old, with clocks that differ, and with transactions that take seconds.
// Agents of each tier poll as docs/agents.md says: with the horizon, or with the time of their own last poll. Each must get
// every project, also those that commit long after their time.

const PUBLICATIONS = 340;
const WEEK_MS = 7 * 86_400_000;
const TIERS: Tier[] = ['starter', 'pro', 'elite'];
const INTERVALS_S = [1, 5, 60];
const PER_SECOND = 4;
/** How far `created_after` reaches back for a publication that commits in time. */
const REACH_MS = 2_000;

const { db, url } = await testDatabase();
let now = START;
const pools: ReturnType<typeof createPool>[] = [];
const pool = (connections: number) => {
  const made = createPool({ url, connections });
  pools.push(made);
  return made;
};
after(async () => await Promise.all(pools.map((each) => each.end({ timeout: 1 }))));

/** A process with its own pools, and a clock that is ahead by `skewMs`. */
async function startProcess(skewMs: number, earlyAccessSeconds: number) {
  const config = {
    platformFeePpm: 50_000,
    earlyAccessSeconds,
    minOpenSeconds: 0,
    search: { pool: 4, timeoutMs: 5_000, perCaller: 2 },
  };
  return await projectsWorld(pool(12), {
    clock: { now: () => new Date(now + skewMs) },
    searches: pool(2),
    searchReads: pool(1),
    config,
  } as unknown as Partial<Deps>);
}
type Process = Awaited<ReturnType<typeof startProcess>>;

async function draftEarly(process: Process, count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => process.draft()));
  await db`update projects set created_at = ${new Date(START - WEEK_MS)} where id = any(${ids})`;
  return ids;
}

/** Books the prize of a draft. The transaction commits when `mayCommit` resolves. */
async function publish({ deps }: Process, id: string, mayCommit: () => Promise<void>): Promise<void> {
  await deps.db.begin(async (tx) => {
    const book = await prizeSubject(deps).lock(tx, id);
    const booked = await book({
      id,
      kind: 'escrow',
      subjectId: id,
      network: deps.network.id,
      asset: deps.network.usdc.address,
      payer: FUNDER,
      payTo: deps.payTo,
      amountMicro: 100_000_000,
      at: deps.clock.now(),
      txHash: `0x${'1'.repeat(64)}`,
    });
    assert.ok('creditTo' in booked);
    await mayCommit();
  });
}

type Recipe = 'horizon' | 'own clock';

/** An agent that polls at one process after the other. */
class PollingAgent {
  readonly name: string;
  readonly everyS: number;
  readonly recipe: Recipe;
  readonly seen = new Map<string, string>();
  repeats = 0;
  readonly #contexts: Context<AgentCaller>[];
  #horizon = new Date(START).toISOString();
  #polls = 0;

  constructor(processes: Process[], tier: Tier, [everyS, recipe]: [number, Recipe]) {
    this.name = `${tier} every ${everyS} s by ${recipe}`;
    this.everyS = everyS;
    this.recipe = recipe;
    this.#contexts = processes.map((process) => process.agent(tier));
  }

  async poll(): Promise<void> {
    this.#polls += 1;
    const created_after = this.#horizon;
    const startedAt = new Date(now).toISOString();
    let cursor: string | null = null;
    do {
      const query = { status: 'open', created_after, limit: '7', ...(cursor === null ? {} : { cursor }) };
      const context = this.#contexts[this.#polls % this.#contexts.length]!;
      const parsed = projectOperations.searchProjects.query.parse(query);
      const { projects, pagination } = JSON.parse((await searchProjects(context, { query: parsed })).text) as {
        projects: { id: string; created_at: string }[];
        pagination: { next_cursor: string | null; horizon: string };
      };
      for (const { id, created_at } of projects) {
        if (this.seen.has(id)) this.repeats += 1;
        assert.equal(this.seen.get(id) ?? created_at, created_at);
        this.seen.set(id, created_at);
      }
      cursor = pagination.next_cursor;
      // Any page of the walk has the horizon of its first page.
      this.#horizon = this.recipe === 'horizon' ? pagination.horizon : startedAt;
    } while (cursor !== null);
  }
}

describe('polling with created_after', () => {
  for (const earlyAccessSeconds of [0, 15, 60])
    it(`misses none of ${PUBLICATIONS} publications of two processes, with ${earlyAccessSeconds} s of early access`, async () => {
      const processes = [await startProcess(0, earlyAccessSeconds), await startProcess(-900, earlyAccessSeconds)];
      const drafts = await draftEarly(processes[0]!, PUBLICATIONS);
      const startedAt = now;
      await db`update publication_clock set newest_at = ${new Date(now)}`;
      const agents = TIERS.flatMap((tier) =>
        INTERVALS_S.flatMap((everyS) =>
          (['horizon', 'own clock'] as const).map((recipe) => new PollingAgent(processes, tier, [everyS, recipe])),
        ),
      );
      const committedAt = new Map<string, number>();
      const running = new Set<Promise<unknown>>();
      const held: { until: number; commit: () => void }[] = [];
      for (let second = 0; drafts.length > 0 || running.size > 0 || second % 60 !== 1; second += 1) {
        now += 1_000;
        for (const [index, id] of drafts.splice(0, PER_SECOND).entries()) {
          const { promise, resolve } = Promise.withResolvers<void>();
          // One transaction in 20 commits up to 5 s after it took its time.
          const isSlow = (second * PER_SECOND + index) % 20 === 0;
          const work = publish(processes[index % 2]!, id, async () => {
            if (!isSlow) return;
            held.push({ until: now + 1_000 * (1 + (second % 5)), commit: resolve });
            await promise;
          })
            .then(() => committedAt.set(id, now))
            .finally(() => running.delete(work));
          running.add(work);
        }
        for (const each of held.splice(0)) {
          if (each.until <= now) each.commit();
          else held.push(each);
        }
        await advancePublicationClock({ db, clock: processes[second % 2]!.deps.clock });
        await Promise.all(agents.filter(({ everyS }) => second % everyS === 0).map((agent) => agent.poll()));
      }
      for (let round = 0; round < 3; round += 1) {
        now += 60_000;
        await advancePublicationClock({ db, clock: processes[0]!.deps.clock });
        for (const agent of agents) await agent.poll();
      }
      const rows = await db<{ id: string; published: Date; visible: Date }[]>`
        select id, published_at as published, visible_at as visible from projects
        where published_at >= ${new Date(startedAt)} order by published_at`;
      assert.equal(rows.length, PUBLICATIONS);
      const late = rows.filter(({ id, published }) => committedAt.get(id)! - published.getTime() > REACH_MS);
      assert.ok(late.length > PUBLICATIONS / 100, `${late.length} publications committed late`);
      for (const agent of agents) {
        const shownFrom = ({ published, visible }: (typeof rows)[number]) =>
          agent.name.startsWith('elite') ? published : visible;
        const missed = rows.filter(({ id }) => !agent.seen.has(id));
        assert.deepEqual(missed, [], `${agent.name} missed ${missed.length}`);
        for (const row of rows) assert.equal(agent.seen.get(row.id), shownFrom(row).toISOString(), agent.name);
        // The horizon moves: an agent does not get everything again and again.
        assert.ok(agent.repeats <= 12 * PUBLICATIONS, `${agent.name}: ${agent.repeats} repeats`);
      }
    });
});

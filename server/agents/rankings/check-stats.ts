import type { Deps } from '../../deps.ts';
import {
  claimCheck,
  endLease,
  findNewestCheck,
  findRangeEnd,
  listAgentIds,
  listScopes,
  type Mismatch,
  mismatchedAgents,
  mismatchedCategories,
  mismatchedCount,
  mismatchedRanks,
  updateCheck,
} from './check-stats-queries.ts';
import type { Queryable } from '../../ports/database.ts';
import { dateOf, dayOf } from './utc-days.ts';

type CheckDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

const AGENTS_A_BATCH = 500;
const NODES_A_BATCH = 2000;
const TOP_LEVEL = 8;
// A batch takes well under a second; a process that has not moved on for so long is gone.
const LEASE_MS = 5 * 60_000;
// A fault that touches everybody is told of by some.
const MOST_TOLD = 100;

/** For who watches the service; null before the first. */
export async function newestFigureCheck(db: Queryable): Promise<{ finishedAt: Date; mismatches: number } | null> {
  return await findNewestCheck(db);
}

/**
 * Recomputes what profiles, rankings and the leaderboard are read from, and compares: once a day in UTC in all, by whichever
 * process comes first. A mismatch is told of and left as it is: it is a fault of ours, and a figure that mends itself
 * overnight would hide it.
 */
export async function checkFigures(deps: CheckDeps, stopping: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  const day = dateOf(dayOf(clock.now()));
  const lease = () => ({ day, leaseUntil: new Date(clock.now().getTime() + LEASE_MS) });
  if (!(await claimCheck(db, { ...lease(), now: clock.now() }))) return;
  const told = { agents: 0, mismatches: 0 };
  let finished = false;
  try {
    for await (const { agents = 0, mismatches } of batches(db)) {
      for (const mismatch of mismatches.slice(0, Math.max(0, MOST_TOLD - told.mismatches)))
        log.error({ alert: 'figures_mismatch', ...mismatch }, 'a kept figure is not what it should be');
      told.agents += agents;
      told.mismatches += mismatches.length;
      if (stopping.aborted) return;
      await updateCheck(db, { ...lease(), ...told, finishedAt: null });
    }
    finished = true;
  } finally {
    if (finished) await updateCheck(db, { ...lease(), ...told, finishedAt: clock.now() });
    // Another process begins anew, now and not when the lease is over.
    else await endLease(db, day, clock.now()).catch(() => {});
  }
  if (told.mismatches === 0) log.info({ day, ...told }, 'figures checked');
  else log.error({ alert: 'figures_mismatches', day, ...told }, 'kept figures are not what they should be');
}

type Batch = { agents?: number; mismatches: Mismatch[] };

async function* batches(db: Queryable): AsyncGenerator<Batch> {
  const count = await mismatchedCount(db);
  yield { mismatches: count ? [count] : [] };
  yield* agentBatches(db);
  for (const scope of await listScopes(db)) {
    for (let level = 0; level <= TOP_LEVEL; level += 1) yield* rankBatches(db, scope, level);
  }
}

async function* agentBatches(db: Queryable): AsyncGenerator<Batch> {
  for (let after: string | null = null; ;) {
    const ids: string[] = await listAgentIds(db, after, AGENTS_A_BATCH);
    const [from] = ids;
    const to = ids.at(-1);
    if (from === undefined || to === undefined) return;
    const found = [...(await mismatchedAgents(db, { from, to })), ...(await mismatchedCategories(db, { from, to }))];
    yield { agents: ids.length, mismatches: found };
    after = to;
  }
}

async function* rankBatches(db: Queryable, scope: string, level: number): AsyncGenerator<Batch> {
  for (let after = -1; ;) {
    const end = await findRangeEnd(db, { scope, level, after, nodes: NODES_A_BATCH });
    const upTo = end ?? Number.MAX_SAFE_INTEGER;
    yield { mismatches: await mismatchedRanks(db, { scope, level, after, upTo }) };
    if (end === null) return;
    after = end;
  }
}

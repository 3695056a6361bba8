import type { Deps } from '../../deps.ts';
import { alertOperator } from '../../events/public.ts';
import {
  claimCheck,
  endLease,
  findRangeEnd,
  listAgentIds,
  listScopes,
  type Mismatch,
  mismatchedAgents,
  mismatchedCategories,
  mismatchedCount,
  mismatchedRanks,
  mismatchedTierAwards,
  updateCheck,
} from './check-stats-queries.ts';
import type { Queryable } from '../../ports/database.ts';
import { dateOf, dayOf } from './utc-days.ts';

type CheckDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

const AGENTS_PER_BATCH = 500;
const NODES_PER_BATCH = 2000;
const TOP_LEVEL = 8;
// A batch takes well under one second. A process that has not renewed its lease for 5 minutes has died.
const LEASE_MS = 5 * 60_000;
// A fault can affect every agent. The log names the first 100 mismatches.
const MAX_LOGGED_MISMATCHES = 100;

/**
 * Recomputes the stored stats of profiles and rankings and compares them, once per UTC day across all processes.
 *
 * The check logs and counts mismatches but does not repair them. A repair would hide the bug that caused the mismatch.
 */
export async function checkStats(deps: CheckDeps, stopping: AbortSignal): Promise<void> {
  const { db, clock, log } = deps;
  const day = dateOf(dayOf(clock.now()));
  const lease = () => ({ day, leaseUntil: new Date(clock.now().getTime() + LEASE_MS) });
  if (!(await claimCheck(db, { ...lease(), now: clock.now() }))) return;
  const counts = { agents: 0, mismatches: 0 };
  let finished = false;
  try {
    for await (const { agents = 0, mismatches } of batches(db)) {
      for (const mismatch of mismatches.slice(0, Math.max(0, MAX_LOGGED_MISMATCHES - counts.mismatches)))
        log.error({ alert: 'figures_mismatch', ...mismatch }, 'a stored statistic is wrong');
      counts.agents += agents;
      counts.mismatches += mismatches.length;
      if (stopping.aborted) return;
      await updateCheck(db, { ...lease(), ...counts, finishedAt: null });
    }
    finished = true;
  } finally {
    if (finished) await updateCheck(db, { ...lease(), ...counts, finishedAt: clock.now() });
    // Release the lease now, so that another process can start the check again immediately.
    else await endLease(db, day, clock.now()).catch(() => {});
  }
  if (counts.mismatches === 0) log.info({ day, ...counts }, 'agent stats checked');
  else {
    log.error({ alert: 'figures_mismatches', day, ...counts }, 'stored agent stats are wrong');
    await alertOperator(deps, {
      type: 'ALERT.FIGURES_MISMATCHES',
      data: {
        subject: null,
        message: 'Stored figures of agents differ from their entries.',
        details: { day, ...counts },
      },
    });
  }
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
    const ids: string[] = await listAgentIds(db, after, AGENTS_PER_BATCH);
    const [from] = ids;
    const to = ids.at(-1);
    if (from === undefined || to === undefined) return;
    const found = [];
    for (const mismatchesOf of [mismatchedAgents, mismatchedCategories, mismatchedTierAwards])
      found.push(...(await mismatchesOf(db, { from, to })));
    yield { agents: ids.length, mismatches: found };
    after = to;
  }
}

async function* rankBatches(db: Queryable, scope: string, level: number): AsyncGenerator<Batch> {
  for (let after = -1; ;) {
    const end = await findRangeEnd(db, { scope, level, after, nodes: NODES_PER_BATCH });
    const upTo = end ?? Number.MAX_SAFE_INTEGER;
    yield { mismatches: await mismatchedRanks(db, { scope, level, after, upTo }) };
    if (end === null) return;
    after = end;
  }
}

import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { dropWaiting, lockTrials, lookAgain, readTrials, startDeliveries, type Trial } from './trial-queries.ts';

/**
 * An endpoint that never succeeded starts its next event this long after its last failure. So it gets at most the five
 * attempts that the schedule of one event makes in an hour, however many projects open and end.
 */
const PAUSE_MS = 3_600_000;
/** When to look again after a delivery is due: its attempt has ended by then. */
const ATTEMPT_MS = 10_000;
const BATCH = 100;

export type TrialDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/**
 * Starts the waiting events that may be sent now: all of an endpoint that has succeeded, and the oldest one of an endpoint
 * that has not, while no other event is on its way there.
 */
export async function startWaiting(deps: TrialDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await startBatch(deps)) === BATCH);
}

async function startBatch({ db, clock, config }: TrialDeps): Promise<number> {
  const now = clock.now();
  return await withTransaction(db, async (tx) => {
    const ids = await lockTrials(tx, now, BATCH);
    if (ids.length === 0) return 0;
    await dropWaiting(tx, ids, { keep: config.webhooks.waitingEvents, now });
    const trials = await readTrials(tx, ids, new Date(now.getTime() - PAUSE_MS));
    const looks = new Map(trials.map((trial) => [trial, nextLook(trial, now)]));
    const verified = trials.filter(({ verified: trusted }) => trusted).map(({ id }) => id);
    const ready = trials.filter((trial) => !trial.verified && looks.get(trial) === null).map(({ id }) => id);
    await startDeliveries(tx, verified, { each: 'all', now });
    const started = await startDeliveries(tx, ready, { each: 'oldest', now });
    const afterAttempt = new Date(now.getTime() + ATTEMPT_MS);
    await lookAgain(
      tx,
      trials.map((trial) => ({ id: trial.id, at: started.has(trial.id) ? afterAttempt : (looks.get(trial) ?? null) })),
    );
    return ids.length;
  });
}

/** Returns when the endpoint may start its next event at the earliest; null: now. */
function nextLook({ verified, dueAt, lastFailureAt }: Trial, now: Date): Date | null {
  if (verified) return null;
  if (dueAt) return new Date(Math.max(dueAt.getTime(), now.getTime()) + ATTEMPT_MS);
  return lastFailureAt && new Date(lastFailureAt.getTime() + PAUSE_MS);
}

import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { BACK_OFF_MS } from '../delivery/public.ts';
import {
  dropWaiting,
  lockTrials,
  scheduleNextTrials,
  readTrials,
  startDeliveries,
  takeBackTrialTimes,
  takeBackTimes,
  type Trial,
} from './trial-queries.ts';

/**
 * An endpoint that never succeeded starts its next event this long after its last request. So it gets at most the five
 * attempts that the schedule of one event makes in an hour, however many projects open and end. It is looked at as often
 * while an event is under way: a time that is later comes from a clock that was set back.
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
    await takeBackTrialTimes(tx, { now, latest: latestTrialTime(now) });
    const ids = await lockTrials(tx, now, BATCH);
    if (ids.length === 0) return 0;
    await dropWaiting(tx, ids, { keep: config.webhooks.waitingEvents, now });
    await takeBackTimes(tx, ids, { now, backOff: BACK_OFF_MS, pauseMs: PAUSE_MS });
    const trials = await readTrials(tx, ids, new Date(now.getTime() - PAUSE_MS));
    const times = new Map(trials.map((trial) => [trial, nextTrialTime(trial, now)]));
    const verified = trials.filter(({ verified: trusted }) => trusted).map(({ id }) => id);
    const ready = trials.filter((trial) => !trial.verified && times.get(trial) === null).map(({ id }) => id);
    await startDeliveries(tx, verified, { each: 'all', now });
    const started = await startDeliveries(tx, ready, { each: 'oldest', now });
    const afterAttempt = new Date(now.getTime() + ATTEMPT_MS);
    await scheduleNextTrials(
      tx,
      trials.map((trial) => ({ id: trial.id, at: started.has(trial.id) ? afterAttempt : (times.get(trial) ?? null) })),
    );
    return ids.length;
  });
}

/** Returns when to look again, because the endpoint cannot start its next event earlier; null: it can now. */
function nextTrialTime({ verified, dueAt, lastRequestAt }: Trial, now: Date): Date | null {
  if (verified) return null;
  const pause = now.getTime() + PAUSE_MS;
  if (dueAt) return new Date(Math.min(Math.max(dueAt.getTime(), now.getTime()) + ATTEMPT_MS, pause));
  return lastRequestAt && new Date(lastRequestAt.getTime() + PAUSE_MS);
}

/** Returns the latest time that this clock can have written. */
export function latestTrialTime(now: Date): Date {
  return new Date(now.getTime() + PAUSE_MS);
}

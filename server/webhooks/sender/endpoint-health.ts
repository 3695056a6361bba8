import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import type { DeliveryOutcome } from '../../ports/webhooks.ts';
import {
  disableAtOnce,
  disableFailing,
  giveUpOn,
  judgeSpeed,
  markFailing,
  markRecovered,
  markSlow,
} from './outcome-queries.ts';
import type { Endpoint } from './sender-queries.ts';
import { tellDisabled } from './tell-disabled.ts';
import { markVerified } from '../trials/public.ts';
import { isGone } from '../delivery/public.ts';

const SLOW_MS = 1_000;
/** Few, so that a repaired endpoint leaves the slow lane after a few events. */
const SPEED_ATTEMPTS = 5;
const SPEED_WINDOW_MS = 7 * 24 * 3_600_000;
const DISABLE_AFTER_MS = 120 * 3_600_000;

/** An endpoint, and the outcome of an attempt there. */
export type Observation = { endpoint: Endpoint; outcome: DeliveryOutcome };

/** The endpoints whose health changed, by what is to be written. */
type HealthChanges = {
  gone: Endpoint[];
  failed: Endpoint[];
  recovered: Endpoint[];
  /** Their first success. */
  verified: Endpoint[];
  timedOut: Endpoint[];
  speed: Endpoint[];
};

/**
 * Writes what the outcomes say about their endpoints; usually nothing, because health seldom changes. It runs after the
 * transaction of the outcomes. The next attempt makes up for a failure here.
 */
export async function recordHealth(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'newId'>,
  observations: Observation[],
): Promise<void> {
  const { log } = deps;
  const changes = healthChanges(observations);
  if (Object.values(changes).every((endpoints) => endpoints.length === 0)) return;
  try {
    const disabled = await writeHealth(deps, changes);
    if (disabled > 0) log.info({ disabled }, 'webhooks disabled');
  } catch (error) {
    log.error({ err: error }, 'the health of webhooks could not be written');
  }
}

/** Compares outcomes with the known health of their endpoints. */
function healthChanges(observations: Observation[]): HealthChanges {
  const changes: HealthChanges = { gone: [], failed: [], recovered: [], verified: [], timedOut: [], speed: [] };
  for (const { endpoint, outcome } of observations) {
    if (isGone(outcome)) changes.gone.push(endpoint);
    else if (!outcome.ok) changes.failed.push(endpoint);
    else if (endpoint.failing) changes.recovered.push(endpoint);
    if (outcome.ok && !endpoint.verified) changes.verified.push(endpoint);
    const isSlow = outcome.latencyMs > SLOW_MS;
    if (outcome.failure === 'timeout') {
      if (!endpoint.slow) changes.timedOut.push(endpoint);
    } else if (isSlow !== endpoint.slow) changes.speed.push(endpoint);
  }
  return changes;
}

/** Locks webhooks before their retries, as deletion and disabling do. Returns how many webhooks it disabled. */
async function writeHealth(deps: Pick<Deps, 'db' | 'clock' | 'newId'>, changes: HealthChanges): Promise<number> {
  const now = deps.clock.now();
  const { gone, failed, recovered, verified, timedOut, speed } = changes;
  return await withTransaction(deps.db, async (tx) => {
    if (failed.some(({ failing }) => !failing)) await markFailing(tx, failed, now);
    if (recovered.length > 0) await markRecovered(tx, recovered);
    if (verified.length > 0) await markVerified(tx, verified, now);
    if (timedOut.length > 0) await markSlow(tx, timedOut);
    if (speed.length > 0) {
      const since = new Date(now.getTime() - SPEED_WINDOW_MS);
      await judgeSpeed(tx, speed, { limitMs: SLOW_MS, attempts: SPEED_ATTEMPTS, since });
    }
    const disabled = gone.length > 0 ? await disableAtOnce(tx, gone, { reason: 'it answered 410 Gone', now }) : [];
    const failingLong = failed.filter(({ failing }) => failing);
    if (failingLong.length > 0) {
      const since = new Date(now.getTime() - DISABLE_AFTER_MS);
      const reason = 'nothing was delivered for 120 hours';
      disabled.push(...(await disableFailing(tx, failingLong, { since, reason, now })));
    }
    if (disabled.length > 0) {
      await giveUpOn(
        tx,
        disabled.map(({ id }) => id),
        now,
      );
      await tellDisabled(deps, tx, disabled, now);
    }
    return disabled.length;
  });
}

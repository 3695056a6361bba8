import { withTransaction } from '../../db/public.ts';
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
import { isGone } from './retry-schedule.ts';
import type { Endpoint } from './sender-queries.ts';
import type { Db } from '../../ports/database.ts';

const SLOW_MS = 1_000;
/** The mean is that of the last attempts: an endpoint that was repaired leaves the slow lane after a few events. */
const SPEED_ATTEMPTS = 5;
const SPEED_WINDOW_MS = 7 * 24 * 3_600_000;
const DISABLE_AFTER_MS = 120 * 3_600_000;

/** How a delivery's attempt went, and where it was sent. */
export type Seen = { endpoint: Endpoint; outcome: DeliveryOutcome };

/** What has to be written: nearly always nothing, since endpoints stay as they are. */
export type HealthChanges = {
  gone: Endpoint[];
  failed: Endpoint[];
  recovered: Endpoint[];
  timedOut: Endpoint[];
  speed: Endpoint[];
};

/** Pure: what these outcomes change, given what is known of the endpoints. Null when that is nothing. */
export function healthChanges(seen: Seen[]): HealthChanges | null {
  const changes: HealthChanges = { gone: [], failed: [], recovered: [], timedOut: [], speed: [] };
  let any = false;
  const add = (name: keyof HealthChanges, endpoint: Endpoint) => {
    changes[name].push(endpoint);
    any = true;
  };
  for (const { endpoint, outcome } of seen) {
    if (isGone(outcome)) add('gone', endpoint);
    else if (!outcome.ok) add('failed', endpoint);
    else if (endpoint.failing) add('recovered', endpoint);
    const tookLong = outcome.latencyMs > SLOW_MS;
    if (outcome.failure === 'timeout') {
      if (!endpoint.slow) add('timedOut', endpoint);
    } else if (tookLong !== endpoint.slow) add('speed', endpoint);
  }
  return any ? changes : null;
}

/**
 * Apart from the outcomes themselves, and after them: what is lost by a crash in between is learnt by the next attempt.
 * Webhooks are locked before their retries, as by those who delete and disable them.
 *
 * @returns how many webhooks were disabled
 */
export async function writeHealth(db: Db, changes: HealthChanges, now: Date): Promise<number> {
  const { gone, failed, recovered, timedOut, speed } = changes;
  return await withTransaction(db, async (tx) => {
    if (failed.some(({ failing }) => !failing)) await markFailing(tx, failed, now);
    if (recovered.length > 0) await markRecovered(tx, recovered);
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
    if (disabled.length > 0) await giveUpOn(tx, disabled, now);
    return disabled.length;
  });
}

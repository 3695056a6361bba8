import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { consumeEvents, type StreamRow } from '../../events/public.ts';
import {
  type AccountEventRow,
  insertDigestEvents,
  insertDigests,
  insertEventMail,
  lockDigests,
} from './event-queries.ts';
import { queueAlerts } from './queue-alerts.ts';

const DAY_MS = 86_400_000;
/** Daily emails are sent at this hour of UTC. */
const DIGEST_HOUR_MS = 8 * 3_600_000;
const DIGESTS_AT_ONCE = 100;

type QueueDeps = Pick<Deps, 'db' | 'clock' | 'sendMail'>;

/**
 * Queues the new events of the log for the accounts that want emails, and alerts for the operators. Without a mail
 * server, it passes them over, so that nobody gets old events when there is one later.
 */
export async function queueEventMail(
  { db, clock, sendMail, config }: QueueDeps & Pick<Deps, 'config'>,
  stopping: AbortSignal,
): Promise<void> {
  await consumeEvents({ db }, stopping, 'mail', async (tx, rows) => {
    if (!sendMail) return;
    const now = clock.now();
    const ofAccounts = rows.flatMap(accountRowOf);
    await insertEventMail(tx, ofAccounts, now);
    await insertDigestEvents(tx, ofAccounts, nextDigest(now));
    const alerts = rows.filter(({ stream }) => stream === 'operator');
    await queueAlerts(tx, alerts, { addresses: config.operatorEmails, now });
  });
}

function accountRowOf(row: StreamRow): AccountEventRow[] {
  const [kind, id] = row.stream.split(':');
  return (kind === 'agent' || kind === 'poster') && id !== undefined ? [{ account: { kind, id }, row }] : [];
}

/** Queues the daily emails that are due. */
export async function queueDigests({ db, clock }: QueueDeps, stopping: AbortSignal): Promise<void> {
  for (let queued = DIGESTS_AT_ONCE; queued === DIGESTS_AT_ONCE && !stopping.aborted;)
    queued = await withTransaction(db, async (tx) => {
      const now = clock.now();
      const accounts = await lockDigests(tx, now, DIGESTS_AT_ONCE);
      await insertDigests(tx, accounts, now);
      return accounts.length;
    });
}

/** Returns the next 08:00 UTC. */
function nextDigest(now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + DIGEST_HOUR_MS;
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}

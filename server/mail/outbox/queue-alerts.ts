import { eventIdOf, type StreamRow } from '../../events/public.ts';
import type { Tx } from '../../ports/database.ts';
import { appendAlerts, insertAlerts, newestAlertsAt, type QueuedAlert } from './alert-queries.ts';

/** Within this time after an email, further alerts wait for the next one. A cap can hold thousands of payouts at once. */
const PAUSE_MS = 5 * 60_000;

/**
 * Queues an email about alerts for each address of the operators. The first alert goes out at once, the following ones
 * together. The caller holds the consumer's position, so no other process queues alerts meanwhile.
 */
export async function queueAlerts(
  tx: Tx,
  rows: readonly StreamRow[],
  { addresses, now }: { addresses: readonly string[]; now: Date },
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const alerts = rows.map(alertOf);
  for (const address of addresses) {
    if (await appendAlerts(tx, { address, alerts, now })) continue;
    const newest = await newestAlertsAt(tx, address);
    const dueAt = newest === null ? now : new Date(Math.max(now.getTime(), newest.getTime() + PAUSE_MS));
    // The id follows from the event and the address, so that a second try queues nothing.
    const id = eventIdOf(`operator ${address} ${first.id}`);
    await insertAlerts(tx, { id, address, alerts, now, dueAt });
  }
}

function alertOf({ id, type, occurredAt, data }: StreamRow): QueuedAlert {
  return { id, type, occurred_at: occurredAt.toISOString(), data };
}

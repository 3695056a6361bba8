import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { consumeEvents, type StreamRow } from '../events/public.ts';
import { type Audience, deleteDeliveriesBefore, holdUnverified, queueDeliveries } from './delivery-queries.ts';

/** How long deliveries are kept, and can be replayed. */
const RETENTION_MS = 30 * 86_400_000;
const BATCH = 5_000;

/** Queues the new events of the log for the endpoints that want them. Returns whether a delivery is due. */
export async function queueEvents(deps: Pick<Deps, 'db' | 'clock'>, stopping: AbortSignal): Promise<boolean> {
  let queued = 0;
  await consumeEvents(deps, stopping, 'webhooks', async (tx, rows) => {
    queued += await queueRows(tx, rows, deps.clock.now());
  });
  return queued > 0;
}

/** Queues rows of the log. Returns the number of deliveries. */
export async function queueRows(tx: Tx, rows: Omit<StreamRow, 'seq'>[], now: Date): Promise<number> {
  let queued = 0;
  await holdUnverified(tx);
  for (const row of rows) {
    const audience = audienceOf(row);
    // The end of the project that opened makes the event useless.
    const opened = row.type === 'PROJECT.OPEN' ? (JSON.parse(row.data) as { project: { id: string } }).project : null;
    const event = { ...row, projectId: opened?.id ?? null };
    if (audience !== null) queued += await queueDeliveries(tx, event, audience, now);
  }
  return queued;
}

/** Returns who gets a row of the log; null: no endpoint does. */
function audienceOf({ stream }: Pick<StreamRow, 'stream'>): Audience | null {
  const [kind, id] = stream.split(':');
  if (kind === 'market') return id === 'elite' ? 'elite' : 'agents';
  return (kind === 'agent' || kind === 'poster') && id !== undefined ? { kind, id } : null;
}

/** Deletes deliveries as old as the retention. */
export async function removeOldDeliveries({ db, clock }: Deps, stopping: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  while (!stopping.aborted && (await deleteDeliveriesBefore(db, before, BATCH)) === BATCH);
}

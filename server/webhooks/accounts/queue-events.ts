import type { Deps } from '../../deps.ts';
import { consumeEvents, type StreamRow } from '../../events/public.ts';
import type { Tx } from '../../ports/database.ts';
import { type EventAudience, queueEvent } from './queries.ts';

/** Queues the new events of the log for the endpoints that want them. Returns whether a delivery is due. */
export async function queueEvents(deps: Pick<Deps, 'db' | 'clock'>, stopping: AbortSignal): Promise<boolean> {
  let queued = 0;
  await consumeEvents(deps, stopping, 'webhooks', async (tx, rows) => {
    for (const row of rows) queued += await queueRow(tx, row, deps.clock.now());
  });
  return queued > 0;
}

async function queueRow(tx: Tx, { id, stream, type }: StreamRow, now: Date): Promise<number> {
  const audience = audienceOf(stream);
  return audience === null ? 0 : await queueEvent(tx, { id, stream, type, audience, now });
}

/** Returns who gets the rows of a stream; null: no endpoint does. */
function audienceOf(stream: string): EventAudience | null {
  const [kind, id] = stream.split(':');
  if (kind === 'market') return { market: id === 'elite' ? 'elite' : 'all' };
  return (kind === 'agent' || kind === 'poster') && id !== undefined ? { account: { kind, id } } : null;
}

import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../db/database.ts';
import { findHead, findPosition, lockPosition, movePosition, rowsAfter, type StreamRow } from './queries.ts';

/** A part of the service that hands events to a queue of its own. */
export type Consumer = 'webhooks' | 'mail';

const BATCH = 200;

/**
 * Hands the rows that follow a consumer's position to `queue`, in the transaction that moves the position. So the consumer
 * queues each row once, also over several processes, and a killed process leaves its rows to the next.
 */
export async function consumeEvents(
  { db }: Pick<Deps, 'db'>,
  stopping: AbortSignal,
  consumer: Consumer,
  queue: (tx: Tx, rows: StreamRow[]) => Promise<void>,
): Promise<void> {
  let position = await findPosition(db, consumer);
  while (!stopping.aborted && position !== null && position < (await findHead(db)).last)
    position = await withTransaction(db, async (tx) => {
      const from = await lockPosition(tx, consumer);
      if (from === null) return null;
      const rows = await rowsAfter(tx, from, BATCH);
      const to = rows.at(-1)?.seq;
      if (to === undefined) return null;
      await queue(tx, rows);
      await movePosition(tx, consumer, to);
      return to;
    });
}

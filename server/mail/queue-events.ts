import type { Deps } from '../deps.ts';
import { consumeEvents, eventIdOf, type StreamRow } from '../events/public.ts';
import type { Tx } from '../db/database.ts';
import { isMailed } from './event-words.ts';
import { type AccountEventRow, insertAlertMail, insertEventMail } from './outbox-queries.ts';

/**
 * Queues an email for each new event of the log whose account has an address, and one about new alerts for each address
 * of the operators. Without a mail server, it passes them over, so that nobody gets old events when there is one later.
 */
export async function queueEventMail(
  { db, clock, sendMail, config }: Pick<Deps, 'db' | 'clock' | 'sendMail' | 'config'>,
  stopping: AbortSignal,
): Promise<void> {
  await consumeEvents({ db }, stopping, 'mail', async (tx, rows) => {
    if (!sendMail) return;
    const now = clock.now();
    await insertEventMail(tx, rows.flatMap(accountRowOf), now);
    await queueAlerts(
      tx,
      rows.filter(({ stream }) => stream === 'operator'),
      config.operatorEmails,
      now,
    );
  });
}

function accountRowOf(row: StreamRow): AccountEventRow[] {
  const [kind, id] = row.stream.split(':');
  if ((kind !== 'agent' && kind !== 'poster') || id === undefined || !isMailed(kind, row.type)) return [];
  // All shares of a prize share an email while the outbox has it, because a project can have hundreds.
  const { shared, project_id: projectId } = JSON.parse(row.data) as { shared?: boolean; project_id?: string };
  return [{ account: { kind, id }, row, about: shared && projectId ? projectId : row.id }];
}

/** The alerts of one read of the log share an email, because a cap can hold thousands of payouts at once. */
async function queueAlerts(tx: Tx, alerts: StreamRow[], addresses: readonly string[], now: Date): Promise<void> {
  const [first] = alerts;
  if (!first) return;
  // The id follows from the event and the address, so that a second try queues nothing.
  for (const address of addresses)
    await insertAlertMail(tx, { id: eventIdOf(`operator ${address} ${first.id}`), address, alerts, now });
}

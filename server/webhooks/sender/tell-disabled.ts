import type { Deps } from '../../deps.ts';
import { type NewEvent, recordEvents } from '../../events/public.ts';
import type { Tx } from '../../ports/database.ts';
import type { DisabledWebhook } from './outcome-queries.ts';

/** Tells the accounts of webhooks that the service disabled them, in the transaction that does it. */
export async function tellDisabled(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  disabled: readonly DisabledWebhook[],
  now: Date,
): Promise<void> {
  if (disabled.length === 0) return;
  await recordEvents(deps, tx, now, disabled.map(eventOf));
}

/** Names only the origin, because the path and the query may contain the endpoint's only secret. */
function eventOf({ id, url, kind, accountId, reason }: DisabledWebhook): NewEvent {
  const event = { type: 'WEBHOOK.DISABLED' as const, data: { webhook_id: id, origin: new URL(url).origin, reason } };
  return kind === 'agent' ? { agent: accountId, ...event } : { poster: accountId, ...event };
}

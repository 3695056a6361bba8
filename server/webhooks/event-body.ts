import type { LoggedEvent } from '../events/public.ts';
import { type SignableEvent, signableEvent } from './signature.ts';

/**
 * Returns an event for an endpoint of the log. Its id is a member of the body, because the older signatures do not cover
 * the headers. PostgreSQL's JSON text has spaces, so the data is serialized again: receivers restore the signed text with
 * `JSON.stringify`.
 */
export function loggedEvent({ id, type, occurredAt, data }: LoggedEvent): SignableEvent {
  const body = JSON.stringify({
    event: type,
    id,
    timestamp: occurredAt.toISOString(),
    data: JSON.parse(data) as unknown,
  });
  return signableEvent({ id, body });
}

type WalletData = { address: string; effective_at: string; status?: string };

/** Returns an event for the specified webhook, in the form of the specification. */
export function specifiedEvent({ id, type, occurredAt, data }: LoggedEvent, agentId: string): SignableEvent {
  const parsed = JSON.parse(data) as object;
  const isProject = 'project' in parsed;
  const { address, effective_at, status = 'pending' } = parsed as WalletData;
  const body = JSON.stringify({
    event: isProject ? type : 'WALLET.CHANGE',
    timestamp: occurredAt.toISOString(),
    data: isProject ? parsed : { wallet: { agent_id: agentId, status, address, effective_at } },
  });
  return signableEvent({ id, body });
}

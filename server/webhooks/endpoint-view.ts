import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import type { AgentCaller, PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';
import type { Account, EndpointRow } from './endpoint-queries.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/** The callers that have endpoints. */
export type EndpointCaller = AgentCaller | PosterCaller;

export function accountOf(caller: EndpointCaller): Account {
  return caller.kind === 'agent' ? { kind: 'agent', id: caller.agentId } : { kind: 'poster', id: caller.posterId };
}

/** The event types in the log that the specified webhook gets as `WALLET.CHANGE`. */
export const WALLET_TYPES = ['WALLET.CHANGE_REQUESTED', 'WALLET.CHANGED'];

/** Returns the events of a specified webhook in its own words. */
export function specifiedEvents({ types }: Pick<EndpointRow, 'types'>): ('PROJECT.OPEN' | 'WALLET.CHANGE')[] {
  return types.length > 1 ? ['PROJECT.OPEN', 'WALLET.CHANGE'] : ['PROJECT.OPEN'];
}

/** Returns the status of an endpoint. `failing`: events are sent, but deliveries fail. */
export function statusOf({ status, failingSince }: Pick<EndpointRow, 'status' | 'failingSince'>) {
  return status === 'active' && failingSince !== null ? ('failing' as const) : status;
}

/** Returns an endpoint as the API returns it. */
export function shownEndpoint(row: EndpointRow, now: Date) {
  const { previousUntil } = row;
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    specified: row.specified,
    status: statusOf(row),
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince,
    verified_at: row.verifiedAt,
    previous_secret_until: previousUntil !== null && previousUntil > now ? previousUntil : null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** @throws DomainError VALIDATION_ERROR */
export async function requireUrl(
  url: string,
  field: string,
  { config, webhookTarget }: Pick<Deps, 'config' | 'webhookTarget'>,
): Promise<void> {
  const { development, webhookNetworks: allowedNetworks } = config;
  const problem = await checkWebhookUrl(url, { development, allowedNetworks }, webhookTarget);
  if (problem !== null) throw validationError([{ field, message: problem }]);
}

/** The same error for an endpoint of another account and for an unknown id. */
export function noEndpoint(): DomainError {
  return new DomainError('NOT_FOUND', 'No such webhook endpoint.');
}

/**
 * Tells the account that its endpoint was disabled, in the transaction that does it. Names only the origin, because the
 * rest of the URL may be a secret.
 */
export async function tellDisabled(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { id, kind, accountId, url, disabledReason }: EndpointRow,
  now: Date,
): Promise<void> {
  const data = { webhook_id: id, origin: new URL(url).origin, reason: disabledReason ?? '' };
  const event = { type: 'WEBHOOK.DISABLED' as const, data };
  await recordEvents(deps, tx, now, [
    kind === 'agent' ? { agent: accountId, ...event } : { poster: accountId, ...event },
  ]);
}

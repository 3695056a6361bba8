import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import type { AgentCaller, PosterCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';
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

export function shownState(row: EndpointRow) {
  return {
    status: statusOf(row),
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince,
    verified_at: row.verifiedAt,
  };
}

/** Until when the secret before this one signs; null when it does not. */
export function previousSecretUntil({ previousUntil }: EndpointRow, now: Date): Date | null {
  return previousUntil !== null && previousUntil > now ? previousUntil : null;
}

/** Returns an endpoint for events of the log as the API returns it. */
export function shownEndpoint(row: EndpointRow, now: Date) {
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    ...shownState(row),
    previous_secret_until: previousSecretUntil(row, now),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** Returns the members that every response about the specified webhook has. */
export function shownWebhook(row: EndpointRow) {
  return {
    subscription_id: row.id,
    webhook_url: row.url,
    event_type: 'PROJECT.OPEN' as const,
    events: specifiedEvents(row),
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

export function noWebhook(): DomainError {
  return new DomainError('NOT_FOUND', 'This agent has no webhook.');
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

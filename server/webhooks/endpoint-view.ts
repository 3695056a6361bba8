import { DomainError } from '../../contract/basics/errors.ts';
import type { AgentCaller, PosterCaller } from '../callers.ts';
import type { Queryable } from '../db/database.ts';
import { type Account, type EndpointRow, findEndpoint } from './endpoint-queries.ts';

/** The callers that have endpoints. */
export type EndpointCaller = AgentCaller | PosterCaller;

export function accountOf(caller: EndpointCaller): Account {
  return caller.kind === 'agent' ? { kind: 'agent', id: caller.agentId } : { kind: 'poster', id: caller.posterId };
}

/**
 * Returns an endpoint of the caller. `find` can lock it.
 *
 * @throws DomainError NOT_FOUND, also for an endpoint of another account
 */
export async function ownEndpoint<Q extends Queryable>(
  caller: EndpointCaller,
  id: string,
  db: Q,
  find: (db: Q, name: { id: string; account: Account }) => Promise<EndpointRow | null> = findEndpoint,
): Promise<EndpointRow> {
  const endpoint = await find(db, { account: accountOf(caller), id });
  if (!endpoint) throw new DomainError('NOT_FOUND', 'No such webhook endpoint.');
  return endpoint;
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

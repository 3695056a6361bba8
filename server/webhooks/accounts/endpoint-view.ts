import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import type { AgentCaller, PosterCaller } from '../../ports/callers.ts';
import { checkWebhookUrl, shownState } from '../endpoints/public.ts';
import type { EndpointAccount, EndpointRow } from './queries.ts';

/** The callers that have endpoints. */
export type EndpointCaller = AgentCaller | PosterCaller;

export function endpointAccountOf(caller: EndpointCaller): EndpointAccount {
  return caller.kind === 'agent' ? { kind: 'agent', id: caller.agentId } : { kind: 'poster', id: caller.posterId };
}

/** Returns an endpoint as the API returns it. */
export function shownEndpoint(row: EndpointRow, now: Date) {
  const previousSigns = row.previousUntil !== null && row.previousUntil > now;
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    ...shownState(row),
    previous_secret_until: previousSigns ? row.previousUntil : null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** The same error for an endpoint of another account and for an unknown id. */
export function noEndpoint(): DomainError {
  return new DomainError('NOT_FOUND', 'No such webhook endpoint.');
}

/** @throws DomainError VALIDATION_ERROR */
export function requireUrl(url: string, { config }: Pick<Deps, 'config'>): void {
  const problem = checkWebhookUrl(url, config);
  if (problem !== null) throw validationError([{ field: 'url', message: problem }]);
}

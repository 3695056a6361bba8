import type { LoggedEvent } from '../../events/public.ts';
import type { StoredEvent } from './sender-queries.ts';
import { ELITE_SHARD } from './shards.ts';
import { type SignableEvent, signableEvent } from '../delivery/public.ts';

/** The members that depend on the receiver. */
type Body = { data: { project: { created_at: string } } };

/**
 * Returns the event for the endpoints of a shard. The stored body is that for elite agents. For others, the project's
 * `created_at` is the end of early access, as in their searches.
 */
export function eventFor(id: string, { body, visibleAt }: StoredEvent, shard: number | null): SignableEvent {
  if (shard === ELITE_SHARD || visibleAt === null) return signableEvent({ id, body });
  const parsed = JSON.parse(body) as Body;
  parsed.data.project.created_at = visibleAt.toISOString();
  return signableEvent({ id, body: JSON.stringify(parsed) });
}

/**
 * Returns an event of the log. Its id is a member of the body, because the older signatures do not cover the headers.
 * PostgreSQL's JSON text has spaces, so the data is serialized again: receivers restore the signed text with
 * `JSON.stringify`. `isTest` marks a sample, which only looks like an event of the log.
 */
export function loggedEvent({ id, type, occurredAt, data, isTest }: LoggedEvent & { isTest?: boolean }): SignableEvent {
  const body = JSON.stringify({
    event: type,
    id,
    timestamp: occurredAt.toISOString(),
    ...(isTest ? { test: true } : {}),
    data: JSON.parse(data) as unknown,
  });
  return signableEvent({ id, body });
}

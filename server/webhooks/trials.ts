import { DomainError } from '../../contract/basics/errors.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { isThisMachine } from '../outbound/public.ts';
import type { Tx } from '../db/database.ts';
import type { EndpointRow } from './endpoint-queries.ts';
import { hostOf } from './webhook-url.ts';

// Anybody can register a URL of somebody else. Until a URL has accepted an event or a test, the requests to it are bounded
// over all processes. Each one has a row of its own among the deliveries, which outlives its endpoint. At most 20 endpoints
// of a host are in this state, or were within the last hour, and each gets five requests an hour: 100 for the host.

/** The requests an hour to an endpoint that never succeeded: as many as the schedule of one event makes. */
export const REQUESTS_PER_HOUR = 5;
/** The endpoints that a host may have before one of their events was accepted, over all accounts. */
const UNVERIFIED_PER_HOST = 20;
/** The requests under way at once to such endpoints of one host. */
const AT_ONCE = 8;
const HOUR_MS = 3_600_000;
/** When to ask again after eight requests were under way, or the URL changed. */
const SOON_MS = 1_000;
/** A request whose process was killed counts as under way for this long. */
const LEASE_MS = 30_000;

type TrialDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'newId'>;
type Tried = Pick<EndpointRow, 'id' | 'url' | 'verifiedAt'>;

/** Why a request may not be made now, and when it may be made at the earliest. */
export type TrialRefusal = { why: 'endpoint' | 'busy'; until: Date };

/** Makes a request to an endpoint, unless it never succeeded and got enough of them. */
export async function tryRequest<T>(
  deps: TrialDeps,
  endpoint: Tried,
  request: () => Promise<T>,
): Promise<{ refusal: TrialRefusal } | { made: T }> {
  const host = hostOf(endpoint.url);
  if (endpoint.verifiedAt || isOwn(deps, host)) return { made: await request() };
  const requestId = deps.newId();
  const refusal = await withTransaction(deps.db, (tx) => takeRequest(deps, tx, { endpoint, host, requestId }));
  if (refusal) return { refusal };
  try {
    return { made: await request() };
  } finally {
    await deps.db`
      update webhook_deliveries set lease_until = null where endpoint_id = ${endpoint.id} and event_id = ${requestId}`;
  }
}

/** Records a request before it is made. Index webhook_deliveries_tried. */
async function takeRequest(
  { clock }: TrialDeps,
  tx: Tx,
  { endpoint: { id, url }, host, requestId }: { endpoint: Tried; host: string; requestId: string },
): Promise<TrialRefusal | null> {
  await lockHost(tx, host);
  const now = clock.now();
  const [found] = await tx<{ last: Date | null; count: number }[]>`
    select (select created_at from webhook_deliveries
        where tried_host = ${host} and endpoint_id = ${id} and created_at > ${new Date(now.getTime() - HOUR_MS)}
        order by created_at desc offset ${REQUESTS_PER_HOUR - 1} limit 1) as last,
      (select count(*)::integer from webhook_deliveries where tried_host = ${host} and lease_until > ${now}) as count
    from webhook_endpoints where id = ${id} and url = ${url}`;
  if (found?.last) return { why: 'endpoint', until: new Date(found.last.getTime() + HOUR_MS) };
  if (!found || found.count >= AT_ONCE) return { why: 'busy', until: new Date(now.getTime() + SOON_MS) };
  await tx`
    insert into webhook_deliveries (event_id, endpoint_id, stream, type, priority, dead_at, created_at, tried_host, lease_until)
    values (${requestId}, ${id}, 'trial', 'TRIAL', 2, ${now}, ${now}, ${host}, ${new Date(now.getTime() + LEASE_MS)})`;
  return null;
}

/** The receivers on the machine of a development start are the developer's own. */
function isOwn({ config }: Pick<Deps, 'config'>, host: string): boolean {
  return config.development && isThisMachine(host);
}

/** Locks a host for requests and registrations there. */
async function lockHost(tx: Tx, host: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`webhooks at ${host}`}, 0))`;
}

/**
 * Checks that the host of a URL has few endpoints that never succeeded, because they may all belong to somebody who never
 * asked for events. One that got a request in the last hour counts, also if it was deleted or has moved meanwhile.
 *
 * @param endpointId the endpoint that is to be there
 * @throws DomainError WEBHOOK_HOST_LIMIT
 */
export async function requireRoomAt(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  { url, endpointId, field }: { url: string; endpointId: string; field: string },
): Promise<void> {
  const host = hostOf(url);
  if (isOwn({ config }, host)) return;
  await lockHost(tx, host);
  const [row] = await tx<[{ count: number }]>`
    select count(distinct id)::integer as count from (
      select id from webhook_endpoints where host = ${host} and verified_at is null and status = 'active'
      union all
      select endpoint_id from webhook_deliveries
      where tried_host = ${host} and created_at > ${new Date(clock.now().getTime() - HOUR_MS)}
    ) tried where id <> ${endpointId}`;
  if (row.count < UNVERIFIED_PER_HOST) return;
  throw new DomainError(
    'WEBHOOK_HOST_LIMIT',
    `${UNVERIFIED_PER_HOST} webhooks at ${host} have not accepted an event yet. Register again after one of them has. ` +
      'One that was deleted or has moved counts until an hour after its last request.',
    { details: [{ field, message: 'a host with fewer webhooks that have not accepted an event' }] },
  );
}

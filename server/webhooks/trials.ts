import { DomainError } from '../../contract/basics/errors.ts';
import type { Tx } from '../db/database.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { isThisMachine } from './address-guard.ts';
import { type EndpointRow, hostOf } from './endpoint-queries.ts';

// Anybody can register a URL of somebody else. Until a URL has accepted an event or a test, the requests to it are bounded
// over all processes. Each one has a row of its own among the deliveries, which outlives its endpoint. At most 20 endpoints
// of a host are in this state, or were within the last hour, and each gets five requests an hour: 100 for the host.

/** The requests an hour to an endpoint that never succeeded: as many as the schedule of one event makes. */
export const REQUESTS_PER_HOUR = 5;
/** The endpoints that a host may have before one of their events was accepted, over all accounts. */
const UNVERIFIED_PER_HOST = 20;
const HOUR_MS = 3_600_000;
/** When to look again at an endpoint that has moved meanwhile. */
const MOVED_MS = 1_000;

/**
 * Counts a request to an endpoint before it is made. Returns the time before which it may not be made, or null: the endpoint
 * never succeeded, and got enough, or it has another URL meanwhile. `forget` takes the count back, if nothing was sent. Index
 * webhook_deliveries_tried.
 */
export async function countTrial(
  { db, clock, config, newId }: Pick<Deps, 'db' | 'clock' | 'config' | 'newId'>,
  { id, url, verifiedAt }: Pick<EndpointRow, 'id' | 'url' | 'verifiedAt'>,
): Promise<{ until: Date | null; forget: () => Promise<unknown> }> {
  const host = hostOf(url);
  const eventId = newId();
  const forget = async () => await db`delete from webhook_deliveries where event_id = ${eventId} and stream = 'trial'`;
  if (verifiedAt || isOwn(config, host)) return { until: null, forget: async () => {} };
  const until = await withTransaction(db, async (tx) => {
    await lockHost(tx, host);
    const now = clock.now();
    const [full] = await tx<{ at: Date }[]>`
      select created_at as at from webhook_deliveries
      where tried_host = ${host} and endpoint_id = ${id} and created_at > ${new Date(now.getTime() - HOUR_MS)}
      order by created_at desc offset ${REQUESTS_PER_HOUR - 1} limit 1`;
    if (full) return new Date(full.at.getTime() + HOUR_MS);
    const { count } = await tx`
      insert into webhook_deliveries (event_id, endpoint_id, stream, type, priority, dead_at, created_at, tried_host)
      select ${eventId}::uuid, id, 'trial', 'TRIAL', 2, ${now}::timestamptz, ${now}::timestamptz, ${host}::text
      from webhook_endpoints where id = ${id} and url = ${url}`;
    return count === 0 ? new Date(now.getTime() + MOVED_MS) : null;
  });
  return { until, forget };
}

/** The receivers on the machine of a development start are the developer's own. */
const isOwn = ({ development }: Pick<Deps['config'], 'development'>, host: string): boolean =>
  development && isThisMachine(host);

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
  if (isOwn(config, host)) return;
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

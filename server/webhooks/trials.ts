import { DomainError } from '../../contract/basics/errors.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { isThisMachine } from '../outbound/public.ts';
import type { Queryable, Tx } from '../db/database.ts';

// Anybody can register a URL of somebody else. Until a URL has accepted an event or a test, the requests to it are bounded
// over all processes: of an endpoint and of its host, also after the endpoint was deleted or has moved.

/** The requests an hour to an endpoint that never succeeded: as many as the schedule of one event makes. */
export const REQUESTS_PER_HOUR = 5;
/** The endpoints that a host may have before one of their events was accepted, over all accounts. */
const UNVERIFIED_PER_HOST = 20;
/** The requests under way at once to such endpoints of one host. */
const AT_ONCE = 8;
const HOUR_MS = 3_600_000;
/** When to ask again after eight requests were under way, or the URL changed. */
const SOON_MS = 1_000;

type TrialDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/** Why a request may not be made now, and when it may be made at the earliest. */
export type TrialRefusal = { why: 'endpoint' | 'host' | 'busy'; until: Date };

/** A delivery, or a test: the row by which a request is counted. */
export type TrialRequest = { endpointId: string; url: string; eventId: string; test: boolean };

/** Records a request to an endpoint that never succeeded, before it is made. Null: it may be made now. */
export async function takeRequest(deps: TrialDeps, request: TrialRequest): Promise<TrialRefusal | null> {
  return await withTransaction(deps.db, async (tx) => {
    const { endpointId, url, eventId, test } = request;
    const host = await lockedHost(tx, endpointId, url);
    const now = deps.clock.now();
    if (host === null) return { why: 'busy', until: new Date(now.getTime() + SOON_MS) };
    const refusal = isOwn(deps, host) ? null : await refusalOf(tx, { endpointId, eventId, host, now });
    if (refusal) return refusal;
    if (test)
      await tx`
        insert into webhook_deliveries (event_id, endpoint_id, stream, type, priority, dead_at, created_at, tried_host,
          requests, sending, lease_until)
        values (${eventId}, ${endpointId}, 'test', 'TEST', 2, ${now}, ${now}, ${host}, array[${now}::timestamptz], true,
          ${new Date(now.getTime() + 30_000)})`;
    else
      await tx`
        update webhook_deliveries set tried_host = ${host}, requests = requests || ${now}::timestamptz, sending = true
        where event_id = ${eventId} and endpoint_id = ${endpointId}`;
    return null;
  });
}

/** Notes that a test has ended. Without this call, it counts as under way for 30 s. */
export async function endTest(db: Queryable, { endpointId, eventId }: TrialRequest): Promise<void> {
  await db`
    update webhook_deliveries set sending = false, lease_until = null
    where event_id = ${eventId} and endpoint_id = ${endpointId}`;
}

/** The receivers on the machine of a development start are the developer's own. */
function isOwn({ config }: Pick<Deps, 'config'>, host: string): boolean {
  return config.development && isThisMachine(host);
}

const lockHost = (tx: Tx, host: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`webhooks at ${host}`}, 0))`;

/** Locks the host of an endpoint, for requests and for registrations there. Null: the endpoint has another URL by now. */
async function lockedHost(tx: Tx, endpointId: string, url: string): Promise<string | null> {
  const find = () =>
    tx<{ host: string }[]>`select host from webhook_endpoints where id = ${endpointId} and url = ${url}`;
  const [found] = await find();
  if (!found) return null;
  await lockHost(tx, found.host);
  const [still] = await find();
  return still?.host === found.host ? found.host : null;
}

/** Index webhook_deliveries_tried. */
async function refusalOf(
  tx: Tx,
  { endpointId, eventId, host, now }: { endpointId: string; eventId: string; host: string; now: Date },
): Promise<TrialRefusal | null> {
  const since = new Date(now.getTime() - HOUR_MS);
  const past = await tx<{ endpointId: string; at: Date }[]>`
    select endpoint_id as "endpointId", at from webhook_deliveries, unnest(requests) at
    where tried_host = ${host} and at > ${since} order by at desc`;
  const freeAt = (requests: { at: Date }[], bound: number) => {
    const oldest = requests[bound - 1];
    return oldest ? new Date(oldest.at.getTime() + HOUR_MS) : null;
  };
  const ofEndpoint = freeAt(
    past.filter((each) => each.endpointId === endpointId),
    REQUESTS_PER_HOUR,
  );
  if (ofEndpoint) return { why: 'endpoint', until: ofEndpoint };
  const ofHost = freeAt(past, REQUESTS_PER_HOUR * UNVERIFIED_PER_HOST);
  if (ofHost) return { why: 'host', until: ofHost };
  const [row] = await tx<[{ count: number }]>`
    select count(*)::integer as count from webhook_deliveries
    where tried_host = ${host} and sending and lease_until > ${now}
      and (endpoint_id, event_id) <> (${endpointId}, ${eventId})`;
  return row.count < AT_ONCE ? null : { why: 'busy', until: new Date(now.getTime() + SOON_MS) };
}

/**
 * Checks that the host has few endpoints that never succeeded, because they may all belong to somebody who never asked for
 * events. One that got a request in the last hour counts, also if it was deleted or has moved meanwhile.
 *
 * @param exceptId the endpoint that moves to the host
 * @throws DomainError WEBHOOK_HOST_LIMIT
 */
export async function requireRoomAt(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  { host, exceptId, field }: { host: string; exceptId: string | null; field: string },
): Promise<void> {
  if (isOwn({ config }, host)) return;
  await lockHost(tx, host);
  const [row] = await tx<[{ count: number }]>`
    select count(distinct id)::integer as count from (
      select id from webhook_endpoints where host = ${host} and verified_at is null and status = 'active'
      union all
      select endpoint_id from webhook_deliveries, unnest(requests) at
      where tried_host = ${host} and at > ${new Date(clock.now().getTime() - HOUR_MS)}
    ) tried where id is distinct from ${exceptId}`;
  if (row.count < UNVERIFIED_PER_HOST) return;
  throw new DomainError(
    'WEBHOOK_HOST_LIMIT',
    `${UNVERIFIED_PER_HOST} webhooks at ${host} have not accepted an event yet. Register again after one of them has. ` +
      'One that was deleted or has moved counts until an hour after its last request.',
    { details: [{ field, message: 'a host with fewer webhooks that have not accepted an event' }] },
  );
}

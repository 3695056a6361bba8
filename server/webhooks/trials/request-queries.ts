import type { Queryable, Tx } from '../../ports/database.ts';

// Two registrations or two requests at one host would both find room, so each takes this advisory lock with the name of
// the host.
const HOST = 7_266_432;
// The same for requests to the hosts of one network. Its lock comes after the one of the host.
const NETWORK = 7_266_445;

/** Until the transaction ends, other registrations and requests at the host wait. */
export async function lockHost(tx: Tx, host: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${HOST}, hashtext(${host}))`;
}

export async function lockNetwork(tx: Tx, network: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${NETWORK}, hashtext(${network}))`;
}

/** Returns the host of an endpoint while it has this URL; null once it was deleted or has moved. */
export async function findHost(db: Queryable, webhookId: string, url: string): Promise<string | null> {
  const [row] = await db<{ host: string }[]>`select host from webhooks where id = ${webhookId} and url = ${url}`;
  return row?.host ?? null;
}

/** Counts the active endpoints of a host that have never succeeded. Index webhooks_unverified. */
const unverifiedAt = (db: Queryable, host: string) => db`
  select id from webhooks where host = ${host} and verified_at is null and status = 'active'`;

/**
 * Counts the endpoints of a host that have never succeeded, without the one of an id: those that are active, and those
 * that got a request since a time, although they were deleted or disabled or have moved. Indexes webhooks_unverified and
 * webhook_trial_requests_host.
 */
export async function countTried(
  tx: Tx,
  { host, since, exceptId }: { host: string; since: Date; exceptId: string | null },
): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(distinct id)::integer as count from (
      ${unverifiedAt(tx, host)}
      union all
      select webhook_id from webhook_trial_requests where host = ${host} and started_at > ${since}
    ) tried where id is distinct from ${exceptId}`;
  return row.count;
}

/** A request that was made to an endpoint of a host. */
export type PastRequest = { webhookId: string; startedAt: Date };

/** Lists the requests to a host since a time, newest first. Index webhook_trial_requests_host. */
export async function listRequests(db: Queryable, host: string, since: Date): Promise<PastRequest[]> {
  return await db<PastRequest[]>`
    select webhook_id as "webhookId", started_at as "startedAt" from webhook_trial_requests
    where host = ${host} and started_at > ${since} order by started_at desc, id desc`;
}

/**
 * Counts the requests to a host or its network that are under way. The request of a killed process counts until `since` is
 * later than its start. Indexes webhook_trial_requests_host and webhook_trial_requests_network.
 */
export async function countUnderWay(
  tx: Tx,
  { host, network, since }: { host: string; network: string | null; since: Date },
): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::integer as count from webhook_trial_requests
    where ended_at is null and started_at > ${since} and (host = ${host} or network = ${network})`;
  return row.count;
}

export type NewRequest = { id: string; webhookId: string; host: string; network: string | null; now: Date };

export async function insertRequest(tx: Tx, { id, webhookId, host, network, now }: NewRequest): Promise<void> {
  await tx`
    insert into webhook_trial_requests (id, webhook_id, host, network, started_at)
    values (${id}, ${webhookId}, ${host}, ${network}, ${now})`;
}

export async function endTrialRequest(db: Queryable, id: string, now: Date): Promise<void> {
  await db`update webhook_trial_requests set ended_at = ${now} where id = ${id}`;
}

export async function deleteRequest(db: Queryable, id: string): Promise<void> {
  await db`delete from webhook_trial_requests where id = ${id}`;
}

/** Deletes the requests before a time. They bound nothing any more. Index webhook_trial_requests_old. */
export async function deleteRequestsBefore(db: Queryable, before: Date): Promise<void> {
  await db`delete from webhook_trial_requests where started_at < ${before}`;
}

/**
 * The requests to a host that have a time in the future count from now on: the clock was set back, and they would bound
 * the host for the length of that step. Index webhook_trial_requests_host.
 */
export async function takeBackRequests(tx: Tx, host: string, now: Date): Promise<void> {
  await tx`
    update webhook_trial_requests set started_at = ${now} where host = ${host} and started_at > ${now}`;
}

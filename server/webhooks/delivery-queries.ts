import type { Queryable, Tx } from '../db/database.ts';
import type { DeliveryOutcome } from './types.ts';
import { type Account, endpointColumns, type EndpointRow } from './endpoint-queries.ts';
import { FIRST_ATTEMPT, type Next } from './retry-schedule.ts';

/** Events that wait for the first success of an endpoint. When it comes, older ones are given up. */
const MOST_WAITING = 100;
/** The history of a delivery shows this many attempts: more than the schedule has. Replays can make any number. */
const SHOWN_ATTEMPTS = 20;
/** The lease on a delivery: longer than an attempt can take. A killed process leaves its deliveries for this long. */
const LEASE_MS = 30_000;
// Two concurrent claims could lease two deliveries of one endpoint, so this advisory lock serializes them.
const CLAIMS = 7_266_430;

/** Part of a statement over `webhook_deliveries`: it has not ended. */
const open = (db: Queryable) => db`dead_at is null and delivered_at is null`;

/** Who gets a row of the log: one account, elite agents, or all agents. */
export type Audience = Account | 'elite' | 'agents';

type QueuedEvent = { id: string; stream: string; type: string; projectId: string | null; occurredAt: Date };

/**
 * Keeps the endpoints that never succeeded as they are until the transaction ends. So an event that must wait for the first
 * success, or for the end of another, is seen when that comes.
 */
export async function holdUnverified(tx: Tx): Promise<void> {
  await tx`select from webhook_endpoints where verified_at is null and status = 'active' order by id for share`;
}

/**
 * Queues an event for every endpoint of its audience that wants its type, once for each endpoint. Returns how many. The
 * specified webhook of an agent also has the filter of its agent's settings. An endpoint that never succeeded gets one
 * event at a time, so the others wait.
 */
export async function queueDeliveries(tx: Tx, event: QueuedEvent, audience: Audience, now: Date): Promise<number> {
  const { id, stream, type, projectId, occurredAt } = event;
  const inAudience =
    typeof audience === 'object'
      ? tx`e.account_kind = ${audience.kind} and e.account_id = ${audience.id}`
      : tx`e.account_kind = 'agent' and ${audience === 'elite' ? tx`a.tier = 'elite'` : tx`true`}`;
  const { count } = await tx`
    insert into webhook_deliveries (event_id, endpoint_id, stream, type, project_id, priority, due_at, created_at)
    select ${id}, e.id, ${stream}, ${type}, ${projectId},
      case a.tier when 'elite' then 0 when 'pro' then 1 else 2 end,
      case when e.verified_at is not null or not exists (
        select 1 from webhook_deliveries where endpoint_id = e.id and due_at is not null and ${open(tx)})
        then ${now}::timestamptz end,
      ${occurredAt}
    from webhook_endpoints e left join agents a on e.account_kind = 'agent' and a.id = e.account_id
      left join projects p on p.id = ${projectId}
    where ${inAudience} and e.status = 'active' and ${type} = any(e.types) and not ${suspended(tx, now)}
      and (p.id is null or p.status in ('draft', 'open')) and (not e.specified or p.id is null or webhook_wanted(a.settings, p.prize_micro, p.specializations))
    on conflict do nothing`;
  return count;
}

/** Its agent is suspended. */
const suspended = (db: Queryable, now: Date) => db`
  coalesce(a.status = 'suspended' and (a.status_until is null or a.status_until > ${now}), false)`;

/** A delivery that this process may send, with its endpoint as it is now. */
export type Claimed = EndpointRow & {
  eventId: string;
  stream: string;
  retries: number;
  token: string;
  /** It is given up: the endpoint is disabled, its agent is suspended, or its project takes no more entries. */
  ended: boolean;
};

/**
 * Leases deliveries that are due, one for each endpoint, the endpoints of elite agents first. It skips endpoints that a
 * process is sending to. Indexes webhook_deliveries_due and webhook_deliveries_leased.
 */
export async function claimDeliveries(
  tx: Tx,
  { token, slow, limit, now }: { token: string; slow: boolean; limit: number; now: Date },
): Promise<Claimed[]> {
  await tx`select pg_advisory_xact_lock(${CLAIMS})`;
  const claimed = await tx<(Claimed & { priority: number })[]>`
    with leased as materialized (
      select endpoint_id from webhook_deliveries where lease_until is not null and lease_until > ${now}
    ), due as (
      select d.event_id, d.endpoint_id, d.due_at, d.project_id from webhook_deliveries d
      where d.due_at is not null and d.due_at <= ${now} and (d.lease_until is null or d.lease_until <= ${now})
        and d.endpoint_id not in (select endpoint_id from leased)
        and exists (select 1 from webhook_endpoints where id = d.endpoint_id and webhook_endpoints.slow = ${slow})
      order by d.priority, d.due_at limit ${limit}
      for update of d skip locked
    ), next as (
      select distinct on (endpoint_id) * from due order by endpoint_id, due_at, event_id
    )
    update webhook_deliveries d set token = ${token}, lease_until = ${new Date(now.getTime() + LEASE_MS)}
    from next join webhook_endpoints e on e.id = next.endpoint_id
      left join agents a on e.account_kind = 'agent' and a.id = e.account_id
      left join projects p on p.id = next.project_id
    where d.endpoint_id = next.endpoint_id and d.event_id = next.event_id
    returning d.event_id as "eventId", d.stream, d.retries, d.token, d.priority, ${endpointColumns(tx)},
      e.status <> 'active' or ${suspended(tx, now)}
        or coalesce(p.status not in ('draft', 'open') and not d.replayed, false) as ended`;
  return claimed.toSorted((a, b) => a.priority - b.priority);
}

/** One attempt as its history shows it. */
export type Attempt = {
  at: string;
  number: number;
  status: number | null;
  latency_ms: number;
  failure: DeliveryOutcome['failure'];
  answer: string | null;
};

export type Settled = Next & { eventId: string; endpointId: string; token: string; attempt: Attempt | null };

/**
 * Writes what became of claimed deliveries. A row changes only while its token is still the claim's own, so a process whose
 * lease ended changes nothing. One that was given up meanwhile stays so, unless it arrived.
 */
export async function settleDeliveries(tx: Tx, settled: Settled[]): Promise<void> {
  await tx`
    update webhook_deliveries d set retries = s.retries, due_at = case when d.dead_at is null then s."dueAt" end,
      dead_at = case when s."deliveredAt" is null then coalesce(d.dead_at, s."deadAt") end,
      delivered_at = s."deliveredAt", lease_until = null, token = null,
      attempts = case when s.attempt is null then d.attempts
        when jsonb_array_length(d.attempts) < ${SHOWN_ATTEMPTS} then d.attempts || s.attempt
        else (d.attempts - 0) || s.attempt end
    from jsonb_to_recordset(${tx.json(settled)}) as s ("eventId" uuid, "endpointId" uuid, token uuid, retries smallint,
      "dueAt" timestamptz, "deadAt" timestamptz, "deliveredAt" timestamptz, attempt jsonb)
    where d.event_id = s."eventId" and d.endpoint_id = s."endpointId" and d.token = s.token`;
}

/**
 * Lets the oldest waiting delivery of an endpoint start at a time, unless another one is under way. `park` makes all of
 * them wait first: their URL was replaced.
 */
export async function startNext(
  tx: Tx,
  endpointId: string,
  { park = false, at, now }: { park?: boolean; at: Date; now: Date },
): Promise<void> {
  const idle = tx`(lease_until is null or lease_until <= ${now})`;
  if (park)
    await tx`
      update webhook_deliveries set due_at = null, retries = ${FIRST_ATTEMPT}
      where endpoint_id = ${endpointId} and ${open(tx)} and ${idle}`;
  await tx`
    update webhook_deliveries set due_at = ${at}
    where endpoint_id = ${endpointId} and event_id = (
      select event_id from webhook_deliveries w where endpoint_id = ${endpointId} and ${open(tx)}
        and ${idle} and not exists (select 1 from webhook_deliveries where endpoint_id = ${endpointId} and ${open(tx)}
          and due_at is not null and ${idle})
      order by event_id limit 1)`;
}

/** After its first success, an endpoint gets the newest events that waited. What its host got bounds nothing any more. */
export async function startWaiting(tx: Tx, endpointId: string, now: Date): Promise<void> {
  await tx`
    with waiting as (
      select event_id, row_number() over (order by event_id desc) as place from webhook_deliveries
      where endpoint_id = ${endpointId} and due_at is null and ${open(tx)}
    )
    update webhook_deliveries d set due_at = case when place <= ${MOST_WAITING} then ${now}::timestamptz end,
      dead_at = case when place > ${MOST_WAITING} then ${now}::timestamptz end
    from waiting where d.endpoint_id = ${endpointId} and d.event_id = waiting.event_id`;
  await tx`delete from webhook_deliveries where endpoint_id = ${endpointId} and tried_host is not null`;
}

/** Gives up what waits for an endpoint: it was deleted or disabled. */
export async function giveUpOn(tx: Tx, endpointId: string, now: Date): Promise<void> {
  await tx`
    update webhook_deliveries set due_at = null, dead_at = ${now}
    where endpoint_id = ${endpointId} and ${open(tx)}`;
}

/**
 * Makes a delivery due: an ended one with the whole schedule before it, one that waits for its next attempt at its place
 * in the schedule. One that a process holds at this moment stays with it. `at` null: an ended one waits for the first success
 * of its endpoint, and one that waits already keeps its time.
 */
export async function sendAgain(
  tx: Tx,
  { endpointId, eventId, at, now }: { endpointId: string; eventId: string; at: Date | null; now: Date },
): Promise<void> {
  await tx`
    update webhook_deliveries set replayed = true, dead_at = null, delivered_at = null,
      due_at = case when ${open(tx)} then coalesce(${at}, due_at) else ${at} end,
      retries = case when ${open(tx)} then retries else ${FIRST_ATTEMPT} end
    where endpoint_id = ${endpointId} and event_id = ${eventId} and (lease_until is null or lease_until <= ${now})`;
}

export type DeliveryRow = {
  eventId: string;
  type: string;
  createdAt: Date;
  dueAt: Date | null;
  deadAt: Date | null;
  deliveredAt: Date | null;
  attempts: Attempt[];
};

/** Lists the deliveries of an endpoint, newest event first, while the log has the event. Primary key. */
export async function listDeliveryRows(
  db: Queryable,
  endpointId: string,
  { before, only, limit }: { before: string | null; only: string | null; limit: number },
): Promise<DeliveryRow[]> {
  return await db<DeliveryRow[]>`
    select d.event_id as "eventId", d.type, d.created_at as "createdAt", d.due_at as "dueAt", d.dead_at as "deadAt",
      d.delivered_at as "deliveredAt", d.attempts
    from webhook_deliveries d join events v on v.id = d.event_id and v.stream = d.stream
    where d.endpoint_id = ${endpointId} ${before === null ? db`` : db`and d.event_id < ${before}`}
      ${only === null ? db`` : db`and d.event_id = ${only}`}
    order by d.event_id desc limit ${limit}`;
}

/** Deletes old deliveries, up to a number of them. Index webhook_deliveries_created. */
export async function deleteDeliveriesBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from webhook_deliveries where (endpoint_id, event_id) in (
      select endpoint_id, event_id from webhook_deliveries where created_at < ${before} limit ${limit})`;
  return count;
}

/**
 * Returns how many deliveries are due, how many wait for a later time, and how long the oldest has been overdue, 0 without one.
 * An event that was queued while its endpoint was deleted is none. Index webhook_deliveries_due.
 */
export async function webhookMetrics(db: Queryable, now: Date) {
  const [row] = await db<[{ oldest: Date | null; due: number; later: number }]>`
    select min(due_at) as oldest, count(*) filter (where due_at <= ${now})::integer as due,
      count(*) filter (where due_at > ${now})::integer as later
    from webhook_deliveries d
    where due_at is not null and exists (select from webhook_endpoints where id = d.endpoint_id)`;
  const { oldest, due, later } = row;
  return { oldestSeconds: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000), due, later };
}

import { type ShardGroup, PRO_SHARD } from './shards.ts';
import type { Fragment, Queryable, Tx } from '../../ports/database.ts';
import type { SealedSecrets } from '../delivery/public.ts';
import { latestTrialTime } from '../trials/public.ts';

/** The lease on a shard of a fan-out, renewed with every batch. After a kill, the shard stands still for this long. */
export const PART_LEASE_MS = 10_000;
/** The lease on one delivery: longer than its attempts can take. */
export const LEASE_MS = 30_000;

/** One shard of an event's fan-out, held by a lease. `after`: the cursor, the id of the last webhook that is done. */
export type ClaimedFanOut = StoredEvent & { eventId: string; shard: number; day: Date; after: string | null };
export type Lease = { token: string; now: Date; until: Date };

// A claim checks whether another process is sending to the same endpoints. Two concurrent checks would both pass, so these
// advisory locks serialize the claims.
const FAN_OUT_CLAIMS = 7_266_429;
const RETRY_CLAIMS = 7_266_430;

/** Which kinds of work are due. `trials`: events wait for endpoints that have never succeeded. */
type DueWork = Record<'priority' | 'starters' | 'retry' | 'slow' | 'trials', boolean>;

/**
 * Returns which kinds of work are due. Indexes webhook_fan_outs_due, webhook_retries_due, and webhooks_trial. The
 * priorities are listed so that the index scan skips rows that are due later. A look that is later than any comes from
 * a clock that was set back.
 */
export async function findDueWork(db: Queryable, now: Date): Promise<DueWork> {
  const fanOut = (group: ShardGroup) => db`exists (
    select 1 from webhook_fan_outs where done_at is null and due_at <= ${now}
      and (lease_until is null or lease_until <= ${now})
      and ${group === 'priority' ? db`shard <= ${PRO_SHARD}` : db`shard > ${PRO_SHARD}`})`;
  const lane = (name: string) => db`exists (
    select 1 from webhook_retries
    where lane = ${name} and priority in (0, 1, 2) and due_at is not null and due_at <= ${now}
      and (lease_until is null or lease_until <= ${now}))`;
  const [row] = await db<[DueWork]>`
    select ${fanOut('priority')} as priority, ${fanOut('starters')} as starters, ${lane('retry')} as retry,
      ${lane('slow')} as slow, (exists (select 1 from webhooks where trial_at <= ${now})
        or exists (select 1 from webhooks where trial_at > ${latestTrialTime(now)})) as trials`;
  return row;
}

/**
 * Leases the next shard. It skips a shard that is being sent for another event: each endpoint belongs to one shard, so no
 * two processes send to one endpoint. Among the shards of starters, the older event comes first. Index webhook_fan_outs_due.
 */
export async function claimFanOut(
  tx: Tx,
  { token, now, until }: Lease,
  group: ShardGroup,
): Promise<ClaimedFanOut | null> {
  await tx`select pg_advisory_xact_lock(${FAN_OUT_CLAIMS})`;
  const [row] = await tx<ClaimedFanOut[]>`
    update webhook_fan_outs f set token = ${token}, lease_until = ${until}
    from (
      select event_id, shard from webhook_fan_outs
      where done_at is null and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        and ${group === 'priority' ? tx`shard <= ${PRO_SHARD}` : tx`shard > ${PRO_SHARD}`}
        and not exists (
          select 1 from webhook_fan_outs held
          where held.shard = webhook_fan_outs.shard and held.done_at is null and held.lease_until > ${now})
      order by least(shard, ${PRO_SHARD + 1}), due_at, event_id, shard limit 1
      for update skip locked
    ) next, webhook_events e
    where f.event_id = next.event_id and f.shard = next.shard and e.id = f.event_id
    returning f.event_id as "eventId", f.shard, (e.created_at at time zone 'UTC')::date as day, e.body,
      e.visible_at as "visibleAt", f.after`;
  return row ?? null;
}

/** Where events are sent, and the known health of the endpoint. */
export type Endpoint = SealedSecrets & {
  url: string;
  /** Null: it is in no shard. */
  shard: number | null;
  failing: boolean;
  slow: boolean;
  /** The endpoint has accepted an event before. */
  verified: boolean;
};

const endpointColumns = (db: Queryable) => db`
  w.id, w.url, w.secret, w.previous_secret as "previousSecret", w.previous_until as "previousUntil", w.shard,
  w.failing_since is not null as failing, w.slow, w.verified_at is not null as verified`;

/** Its agent is not suspended. */
const heard = (db: Queryable, now: Date) => db`(w.silent_until is null or w.silent_until <= ${now})`;

/** Part of a statement: the project takes no more entries, so its event is of no use. An event always has an open project. */
const hasEnded = (db: Queryable) => db`status not in ('draft', 'open')`;

/**
 * Part of a statement: what a webhook's filter asks about a project, its prize and its categories, and whether it has
 * ended. The filter is compared in the statement that walks the subscriptions.
 */
export const offeredBy = (db: Queryable, projectId: Fragment) => db`
  select prize_micro, project_categories(specializations) as categories, ${hasEnded(db)} as ended
  from projects where id = ${projectId}`;

type SubscriptionPage = { eventId: string; shard: number; after: string | null; limit: number; now: Date };

/**
 * Reads the next subscriptions of a shard whose filter matches the event; none once its project has ended. `busy`:
 * another process is sending to the endpoint. Indexes webhooks_fan_out and webhook_retries_leased.
 */
export async function readSubscriptions(
  db: Queryable,
  { eventId, shard, after, limit, now }: SubscriptionPage,
): Promise<(Endpoint & { busy: boolean })[]> {
  return await db<(Endpoint & { busy: boolean })[]>`
    with busy as materialized (select webhook_id from webhook_retries where lease_until is not null and lease_until > ${now}),
    told as materialized (${offeredBy(db, db`(select project_id from webhook_events where id = ${eventId})`)})
    select ${endpointColumns(db)}, w.id in (select webhook_id from busy) as busy
    from webhooks w left join told on true
    where w.shard = ${shard} and w.status = 'active' and ${heard(db, now)} and told.ended is not true ${after === null ? db`` : db`and w.id > ${after}`}
      and event_wanted(w.wanted_min_micro, w.wanted_max_micro, w.wanted_categories, told.prize_micro, told.categories)
    order by w.id limit ${limit}`;
}

export async function readEndpoints(db: Queryable, ids: string[], now: Date): Promise<Endpoint[]> {
  return await db<Endpoint[]>`
    select ${endpointColumns(db)} from webhooks w
    where w.id = any(${ids}) and w.status = 'active' and ${heard(db, now)}`;
}

/** An event as it is stored. `visibleAt` is the end of early access; null in events of older versions. */
export type StoredEvent = { body: string; visibleAt: Date | null };

export async function readEvent(db: Queryable, id: string): Promise<StoredEvent | null> {
  const [row] = await db<StoredEvent[]>`
    select body, visible_at as "visibleAt" from webhook_events where id = ${id}`;
  return row ?? null;
}

/** Returns those of the events whose project has ended: they are not sent any more. */
export async function readEnded(db: Queryable, eventIds: string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select e.id from webhook_events e join projects p on p.id = e.project_id
    where e.id = any(${eventIds}) and ${hasEnded(db)}`;
  return new Set(rows.map(({ id }) => id));
}

/** Moves the cursor and renews the lease. Returns false when another process has the lease or has moved the cursor. */
export async function advanceFanOut(
  tx: Tx,
  { eventId, shard }: ClaimedFanOut,
  step: {
    token: string;
    from: string | null;
    to: string | null;
    attempted: number;
    leaseUntil: Date | null;
    doneAt: Date | null;
  },
): Promise<boolean> {
  const rows = await tx`
    update webhook_fan_outs set after = ${step.to}, attempted = attempted + ${step.attempted},
      lease_until = ${step.leaseUntil}, token = ${step.leaseUntil === null ? null : step.token}, done_at = ${step.doneAt}
    where event_id = ${eventId} and shard = ${shard} and token = ${step.token} and after is not distinct from ${step.from}
    returning 1`;
  return rows.length > 0;
}

export type LaneName = 'retry' | 'slow';
export type ClaimedRetry = {
  day: Date;
  eventId: string;
  webhookId: string;
  retries: number;
  lane: LaneName;
  /** The stream of the event log that holds the event; null: `webhook_events` does. */
  stream: string | null;
  /** The agent asked for it, so it is sent although its project has ended. */
  replayed: boolean;
};

/**
 * Leases deliveries of a lane that are due, one for each endpoint. It skips endpoints that a process is sending to.
 * Indexes webhook_retries_due and webhook_retries_leased.
 */
export async function claimRetries(
  tx: Tx,
  { token, now, until }: Lease,
  { lane, limit, busy }: { lane: LaneName; limit: number; busy: string[] },
): Promise<ClaimedRetry[]> {
  await tx`select pg_advisory_xact_lock(${RETRY_CLAIMS})`;
  return await tx<ClaimedRetry[]>`
    with leased as materialized (
      select webhook_id from webhook_retries where lease_until is not null and lease_until > ${now}
    ), due as (
      select day, event_id, webhook_id, due_at from webhook_retries
      where lane = ${lane} and due_at is not null and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
        and webhook_id <> all(${busy}::uuid[])
        and webhook_id not in (select webhook_id from leased)
      order by priority, due_at limit ${limit}
      for update skip locked
    ), next as (
      select distinct on (webhook_id) day, event_id, webhook_id from due order by webhook_id, due_at, event_id
    )
    update webhook_retries r set token = ${token}, lease_until = ${until}
    from next where r.day = next.day and r.event_id = next.event_id and r.webhook_id = next.webhook_id
    returning r.day, r.event_id as "eventId", r.webhook_id as "webhookId", r.retries, r.lane, r.stream,
      r.replayed`;
}

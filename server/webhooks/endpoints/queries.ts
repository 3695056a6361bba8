import { offeredBy, ELITE_SHARD, PRO_SHARD, SHARDS } from '../sender/public.ts';
import type { Fragment, Queryable, Tx } from '../../ports/database.ts';
import { FIRST_ATTEMPT } from '../delivery/public.ts';
import type { TestedEndpoint } from './send-test.ts';

export type WebhookRow = {
  id: string;
  agentId: string;
  url: string;
  shard: number;
  /** It also takes WALLET.CHANGE. */
  walletEvents: boolean;
  status: 'active' | 'disabled';
  disabledReason: string | null;
  failingSince: Date | null;
  verifiedAt: Date | null;
  previousUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const webhookColumns = (db: Queryable) => db`
  id, agent_id as "agentId", url, shard, wallet_events as "walletEvents", status, disabled_reason as "disabledReason",
  failing_since as "failingSince", verified_at as "verifiedAt", previous_until as "previousUntil",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Finds the agent's only webhook by the unique index `webhooks_agent_id_key`. */
export async function findWebhookOf(db: Queryable, agentId: string): Promise<WebhookRow | null> {
  const [row] = await db<WebhookRow[]>`select ${webhookColumns(db)} from webhooks where agent_id = ${agentId}`;
  return row ?? null;
}

/** Returns where events are sent, and the secrets that sign them. */
export async function findEndpointOf(db: Queryable, agentId: string): Promise<TestedEndpoint | null> {
  const [row] = await db<TestedEndpoint[]>`
    select id, url, secret, previous_secret as "previousSecret", previous_until as "previousUntil",
      verified_at is not null as verified
    from webhooks where agent_id = ${agentId}`;
  return row ?? null;
}

export async function lockWebhookOf(tx: Tx, agentId: string): Promise<WebhookRow | null> {
  const [row] = await tx<WebhookRow[]>`
    select ${webhookColumns(tx)} from webhooks where agent_id = ${agentId} for no key update`;
  return row ?? null;
}

/** A webhook of any account, as the operator sees it. */
export type AnyWebhookRow = Omit<WebhookRow, 'agentId' | 'shard' | 'walletEvents'> & {
  agentId: string | null;
  posterId: string | null;
  events: string[];
};

const anyColumns = (db: Queryable) => db`
  id, coalesce(agent_id, case account_kind when 'agent' then account_id end) as "agentId",
  case account_kind when 'poster' then account_id end as "posterId", url,
  coalesce(types, case when wallet_events then array['PROJECT.OPEN', 'WALLET.CHANGE'] else array['PROJECT.OPEN'] end)
    as events,
  status, disabled_reason as "disabledReason", failing_since as "failingSince", verified_at as "verifiedAt",
  previous_until as "previousUntil", created_at as "createdAt", updated_at as "updatedAt"`;

export async function lockWebhook(tx: Tx, id: string): Promise<AnyWebhookRow | null> {
  const [row] = await tx<AnyWebhookRow[]>`select ${anyColumns(tx)} from webhooks where id = ${id} for no key update`;
  return row ?? null;
}

/** Selects events of projects with a prize in this range and one of these categories. An empty list allows all. */
export type WebhookFilter = { minMicro: number; maxMicro: number; categories: string[] };

export type NewWebhook = {
  id: string;
  agentId: string;
  url: string;
  /** The host name of the URL. */
  host: string;
  secret: Buffer;
  shard: number;
  silentUntil: Date | 'forever' | null;
  walletEvents: boolean;
  /** Null: the webhook gets the events of every project. */
  filter: WebhookFilter | null;
  now: Date;
};

const endOfSilence = (tx: Tx, until: NewWebhook['silentUntil']) =>
  until === 'forever' ? tx`'infinity'::timestamptz` : tx`${until}::timestamptz`;

/** Inserts a webhook. Returns null if the agent has one by now. */
export async function insertWebhook(tx: Tx, webhook: NewWebhook): Promise<WebhookRow | null> {
  const { id, agentId, url, host, secret, shard, silentUntil, walletEvents, filter, now } = webhook;
  const { minMicro = null, maxMicro = null, categories = null } = filter ?? {};
  const [row] = await tx<WebhookRow[]>`
    insert into webhooks (id, agent_id, url, host, secret, shard, created_at, updated_at, silent_until, wallet_events,
      wanted_min_micro, wanted_max_micro, wanted_categories)
    values (${id}, ${agentId}, ${url}, ${host}, ${secret}, ${shard}, ${now}, ${now}, ${endOfSilence(tx, silentUntil)},
      ${walletEvents}, ${minMicro}, ${maxMicro}, ${categories})
    on conflict (agent_id) do nothing
    returning ${webhookColumns(tx)}`;
  return row ?? null;
}

type Replacement = Pick<NewWebhook, 'url' | 'host' | 'secret' | 'now'> & {
  previousUntil: Date;
  verifiedAt: Date | null;
  /** Undefined keeps the choice. */
  walletEvents: boolean | undefined;
};

/** Replaces the URL and forgets the health of the old one. The current secret becomes the previous one. */
export async function replaceWebhook(
  tx: Tx,
  id: string,
  { url, host, secret, previousUntil, verifiedAt, walletEvents, now }: Replacement,
): Promise<WebhookRow> {
  const [row] = await tx<[WebhookRow]>`
    update webhooks set url = ${url}, host = ${host}, secret = ${secret}, previous_secret = secret,
      previous_until = ${previousUntil}, verified_at = ${verifiedAt}, trial_at = ${now},
      status = 'active', disabled_reason = null, failing_since = null, slow = false,
      wallet_events = coalesce(${walletEvents ?? null}, wallet_events), updated_at = ${now}
    where id = ${id} returning ${webhookColumns(tx)}`;
  return row;
}

export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from webhooks where id = ${id}`;
}

export async function markDisabled(tx: Tx, id: string, reason: string, now: Date): Promise<AnyWebhookRow> {
  const [row] = await tx<[AnyWebhookRow]>`
    update webhooks set status = 'disabled', disabled_reason = ${reason}, updated_at = ${now}
    where id = ${id} returning ${anyColumns(tx)}`;
  return row;
}

/**
 * Stops events to the agent's webhook until `until`. Null resumes them. Call it in the transaction that changes the
 * agent's suspension.
 */
export async function pauseWebhook(tx: Tx, agentId: string, until: NewWebhook['silentUntil']): Promise<void> {
  await tx`
    update webhooks set silent_until = ${endOfSilence(tx, until)}
    where agent_id = ${agentId} and silent_until is distinct from ${endOfSilence(tx, until)}`;
}

/** Inserts the event and a fan-out cursor for each shard, in one statement of the transaction. */
export async function insertAnnouncement(
  tx: Tx,
  event: { id: string; projectId: string; body: string; at: Date; visibleAt: Date },
): Promise<void> {
  await tx`
    with event as (
      insert into webhook_events (id, kind, project_id, body, created_at, visible_at)
      values (${event.id}, 'PROJECT.OPEN', ${event.projectId}, ${event.body}, ${event.at}, ${event.visibleAt}) returning id
    )
    insert into webhook_fan_outs (event_id, shard, due_at)
    select event.id, shard, case shard when ${ELITE_SHARD} then ${event.at}::timestamptz else ${event.visibleAt} end
    from event, generate_series(0, ${SHARDS - 1}) shard`;
}

/**
 * Inserts an event for the agent's own webhook and its delivery, if the webhook takes such events. At an endpoint that
 * never succeeded, the event waits, or an agent could send to it as often as it changes its wallet.
 */
export async function insertWalletEvent(
  tx: Tx,
  event: { id: string; agentId: string; body: string; at: Date },
): Promise<void> {
  await tx`
    with endpoint as (
      select id, slow, verified_at from webhooks where agent_id = ${event.agentId} and status = 'active' and wallet_events
    ), event as (
      insert into webhook_events (id, kind, body, created_at)
      select ${event.id}, 'WALLET.CHANGE', ${event.body}, ${event.at} from endpoint returning id
    ), queued as (
      insert into webhook_retries (event_id, webhook_id, day, retries, lane, priority, due_at)
      select event.id, endpoint.id, (${event.at}::timestamptz at time zone 'UTC')::date, ${FIRST_ATTEMPT},
        case when endpoint.slow then 'slow' else 'retry' end, 0,
        case when endpoint.verified_at is not null then ${event.at}::timestamptz end
      from event, endpoint returning webhook_id, due_at
    )
    update webhooks set trial_at = ${event.at}
    where id in (select webhook_id from queued where due_at is null) and trial_at is null`;
}

/**
 * Moves webhooks to the shard that their agent's tier belongs to. Tiers only rise, so the shard only falls. Events for an
 * endpoint that never succeeded wait, and the sender looks for them.
 *
 * @param agents a query of `id` and `tier`; the caller has locked these agents
 */
export async function moveWithTier(tx: Tx, agents: Fragment): Promise<void> {
  await tx`
    with risen as (
      select w.*, case a.tier when 'elite' then ${ELITE_SHARD}::smallint else ${PRO_SHARD}::smallint end as new_shard
      from webhooks w join (${agents}) a on a.id = w.agent_id
      where a.tier <> 'starter'
        and w.shard > case a.tier when 'elite' then ${ELITE_SHARD}::smallint else ${PRO_SHARD}::smallint end
    ), not_reached as (
      insert into webhook_retries (event_id, webhook_id, day, retries, lane, priority, due_at)
      select e.id, risen.id, (e.created_at at time zone 'UTC')::date, ${FIRST_ATTEMPT},
        case when risen.slow then 'slow' else 'retry' end, risen.new_shard,
        case when risen.verified_at is not null then f.due_at end
      from risen join webhook_fan_outs f on f.shard = risen.shard and f.done_at is null
        and (f.after is null or f.after < risen.id)
      join webhook_events e on e.id = f.event_id
      left join lateral (${offeredBy(tx, tx`e.project_id`)}) offered on true
      where event_wanted(risen.wanted_min_micro, risen.wanted_max_micro, risen.wanted_categories, offered.prize_micro,
        offered.categories)
      on conflict do nothing
    )
    update webhooks set shard = risen.new_shard,
      trial_at = case when webhooks.verified_at is null then coalesce(webhooks.trial_at, 'epoch') else webhooks.trial_at end
    from risen where webhooks.id = risen.id`;
}

/** Marks the further endpoints of agents that are elite by now. Index webhooks_of_account. */
export async function markElite(tx: Tx, agents: Fragment): Promise<void> {
  await tx`
    update webhooks w set elite = true from (${agents}) a
    where w.account_kind = 'agent' and w.account_id = a.id and a.tier = 'elite' and not w.elite`;
}

/** Sets the events that the agent's webhook gets. Null: all. */
export async function updateFilter(tx: Tx, agentId: string, filter: WebhookFilter | null): Promise<void> {
  const { minMicro = null, maxMicro = null, categories = null } = filter ?? {};
  await tx`
    update webhooks
    set wanted_min_micro = ${minMicro}, wanted_max_micro = ${maxMicro}, wanted_categories = ${categories}
    where agent_id = ${agentId}`;
}

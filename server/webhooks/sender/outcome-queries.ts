import type { DeliveryFailure, DeliveryOutcome } from '../../ports/webhooks.ts';
import type { ClaimedRetry, LaneName } from './sender-queries.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

/** One attempt that was made. */
export type Attempt = { eventId: string; webhookId: string; at: Date; number: number; outcome: DeliveryOutcome };

/** Inserts many attempts in one statement: 500 rows take PostgreSQL 3 ms. */
export async function insertAttempts(tx: Tx, attempts: Attempt[]): Promise<void> {
  if (attempts.length === 0) return;
  const column = <T>(of: (attempt: Attempt) => T) => attempts.map(of);
  await tx`
    insert into webhook_attempts (event_id, webhook_id, at, number, outcome, failure, status, latency_ms, answer)
    select event_id, webhook_id, to_timestamp(at / 1000::float8), number,
      case when failure is null then 'delivered' else 'failed' end, failure, status, latency_ms, answer
    from unnest(
      ${column(({ eventId }) => eventId)}::uuid[], ${column(({ webhookId }) => webhookId)}::uuid[],
      ${column(({ at }) => at.getTime())}::bigint[], ${column(({ number }) => number)}::smallint[],
      ${column(({ outcome }) => failureOf(outcome))}::text[], ${column(({ outcome }) => outcome.status)}::smallint[],
      ${column(({ outcome }) => Math.round(outcome.latencyMs))}::integer[],
      ${column(({ outcome }) => withoutNul(outcome.answer))}::text[]
    ) as a (event_id, webhook_id, at, number, failure, status, latency_ms, answer)`;
}

/** PostgreSQL stores any character but NUL. */
function withoutNul(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '\u{FFFD}');
}

function failureOf({ ok, failure }: DeliveryOutcome): DeliveryFailure | null {
  return ok ? null : (failure ?? 'connection');
}

/** The row for a first delivery without success. It is leased while the first attempt is still in flight. */
export type NewRetry = {
  webhookId: string;
  retries: number;
  lane: LaneName;
  priority: number;
  dueAt: Date | null;
  deadAt: Date | null;
  token: string | null;
  leaseUntil: Date | null;
};

export async function insertRetries(tx: Tx, event: { eventId: string; day: Date }, retries: NewRetry[]): Promise<void> {
  if (retries.length === 0) return;
  const column = <T>(of: (retry: NewRetry) => T) => retries.map(of);
  // After the subscription was read, its agent may have moved to this shard, which inserts the same row.
  await tx`
    insert into webhook_retries (event_id, webhook_id, day, retries, lane, priority, due_at, dead_at, token, lease_until)
    select ${event.eventId}, webhook_id, ${event.day}, retries, lane, priority, due_at, dead_at, token, lease_until
    from unnest(
      ${column(({ webhookId }) => webhookId)}::uuid[], ${column(({ retries: made }) => made)}::smallint[],
      ${column(({ lane }) => lane)}::text[], ${column(({ priority }) => priority)}::smallint[],
      ${column(({ dueAt }) => iso(dueAt))}::timestamptz[], ${column(({ deadAt }) => iso(deadAt))}::timestamptz[],
      ${column(({ token }) => token)}::uuid[], ${column(({ leaseUntil }) => iso(leaseUntil))}::timestamptz[]
    ) as r (webhook_id, retries, lane, priority, due_at, dead_at, token, lease_until)
    on conflict (day, event_id, webhook_id) do nothing`;
}

/** The result of a claimed retry: delivered, dead, or due again. */
export type SettledRetry = Pick<ClaimedRetry, 'day' | 'eventId' | 'webhookId' | 'retries' | 'lane'> & {
  token: string;
  /** Set for an event of the log. */
  stream?: string | null;
  dueAt: Date | null;
  deadAt: Date | null;
  deliveredAt: Date | null;
};

/** Updates only rows whose token is still the claim's own: a claim that expired changes nothing. */
export async function settleRetries(tx: Tx, settled: SettledRetry[]): Promise<void> {
  if (settled.length === 0) return;
  const column = <T>(of: (retry: SettledRetry) => T) => settled.map(of);
  await tx`
    update webhook_retries r set retries = s.retries, lane = s.lane, due_at = s.due_at, dead_at = s.dead_at,
      delivered_at = s.delivered_at, lease_until = null, token = null
    from unnest(
      ${column(({ day }) => iso(day))}::date[], ${column(({ eventId }) => eventId)}::uuid[],
      ${column(({ webhookId }) => webhookId)}::uuid[], ${column(({ token }) => token)}::uuid[],
      ${column(({ retries }) => retries)}::smallint[], ${column(({ lane }) => lane)}::text[],
      ${column(({ dueAt }) => iso(dueAt))}::timestamptz[], ${column(({ deadAt }) => iso(deadAt))}::timestamptz[],
      ${column(({ deliveredAt }) => iso(deliveredAt))}::timestamptz[]
    ) as s (day, event_id, webhook_id, token, retries, lane, due_at, dead_at, delivered_at)
    where r.day = s.day and r.event_id = s.event_id and r.webhook_id = s.webhook_id and r.token = s.token`;
}

function iso(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** An endpoint with the URL that was sent to: an observation does not hold for a URL that replaced it. */
type Observed = { id: string; url: string };

const listed = (db: Queryable, observed: Observed[]) =>
  db`unnest(${observed.map(({ id }) => id)}::uuid[], ${observed.map(({ url }) => url)}::text[]) as k (id, url)`;

export async function markFailing(tx: Tx, observed: Observed[], at: Date): Promise<void> {
  await tx`
    update webhooks w set failing_since = ${at} from ${listed(tx, observed)}
    where w.id = k.id and w.url = k.url and w.failing_since is null`;
}

export async function markRecovered(tx: Tx, observed: Observed[]): Promise<void> {
  await tx`
    update webhooks w set failing_since = null from ${listed(tx, observed)}
    where w.id = k.id and w.url = k.url and w.failing_since is not null`;
}

export async function markSlow(tx: Tx, observed: Observed[]): Promise<void> {
  await tx`update webhooks w set slow = true from ${listed(tx, observed)} where w.id = k.id and w.url = k.url and not w.slow`;
}

/** Marks endpoints slow when their last attempts took longer than the limit on average. Index webhook_attempts_webhook. */
export async function judgeSpeed(
  tx: Tx,
  observed: Observed[],
  { limitMs, attempts, since }: { limitMs: number; attempts: number; since: Date },
): Promise<void> {
  await tx`
    update webhooks w set slow = not w.slow from ${listed(tx, observed)}
    where w.id = k.id and w.url = k.url and w.slow <> coalesce((
      select avg(latency_ms) > ${limitMs} from (
        select latency_ms from webhook_attempts a where a.webhook_id = k.id and a.at >= ${since}
        order by at desc limit ${attempts}) recent), w.slow)`;
}

/** A webhook that was disabled, and the account that it belongs to. */
export type DisabledWebhook = { id: string; url: string; kind: 'agent' | 'poster'; accountId: string; reason: string };

/** Part of a statement: what a statement returns of the webhooks `w` that it disables. */
const disabledColumns = (db: Queryable) => db`
  w.id, w.url, coalesce(w.account_kind, 'agent') as kind, coalesce(w.account_id, w.agent_id) as "accountId",
  w.disabled_reason as reason`;

/** Disables the endpoints that have been failing since before `since`. Returns them. */
export async function disableFailing(
  tx: Tx,
  observed: Observed[],
  { since, reason, now }: { since: Date; reason: string; now: Date },
): Promise<DisabledWebhook[]> {
  return await tx<DisabledWebhook[]>`
    update webhooks w set status = 'disabled', disabled_reason = ${reason}, updated_at = ${now} from ${listed(tx, observed)}
    where w.id = k.id and w.url = k.url and w.status = 'active' and w.failing_since <= ${since}
    returning ${disabledColumns(tx)}`;
}

export async function disableAtOnce(
  tx: Tx,
  observed: Observed[],
  { reason, now }: { reason: string; now: Date },
): Promise<DisabledWebhook[]> {
  return await tx<DisabledWebhook[]>`
    update webhooks w set status = 'disabled', disabled_reason = ${reason}, updated_at = ${now} from ${listed(tx, observed)}
    where w.id = k.id and w.url = k.url and w.status = 'active' returning ${disabledColumns(tx)}`;
}

/** Ends the waiting deliveries of webhooks. Agents can replay them later. Index webhook_retries_open. */
export async function giveUpOn(tx: Tx, webhookIds: string[], now: Date): Promise<void> {
  await tx`
    update webhook_retries set due_at = null, lease_until = null, token = null, dead_at = ${now}
    where webhook_id = any(${webhookIds}) and dead_at is null and delivered_at is null`;
}

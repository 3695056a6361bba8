import type { Tx } from '../../ports/database.ts';

/** An alert on its way into the outbox. `data` is JSON text. */
export type QueuedAlert = { id: string; type: string; occurred_at: string; data: string };

/** The outbox knows operators as one account, because their addresses are a setting. */
const OPERATORS = '00000000-0000-0000-0000-000000000000';

// An email lists 50 alerts and counts the others.
const MOST_ALERTS = 500;

type Alerts = { address: string; alerts: readonly QueuedAlert[]; now: Date };

/** Adds alerts to the email that waits for its first attempt. Returns false without one. Index mail_outbox_account. */
export async function appendAlerts(tx: Tx, { address, alerts, now }: Alerts): Promise<boolean> {
  const rows = await tx`
    update mail_outbox set events = events || ${arrayOf(tx, alerts)}
    where account_kind = 'operator' and account_id = ${OPERATORS} and address = ${address}
      and attempts = 0 and token is null and due_at > ${now} and jsonb_array_length(events) < ${MOST_ALERTS}
    returning 1`;
  return rows.length > 0;
}

/** When the newest email about alerts was queued or sent; null without one. Index mail_outbox_account. */
export async function newestAlertsAt(tx: Tx, address: string): Promise<Date | null> {
  const [row] = await tx<[{ at: Date | null }]>`
    select max(greatest(created_at, sent_at)) as at from mail_outbox
    where account_kind = 'operator' and account_id = ${OPERATORS} and address = ${address}`;
  return row.at;
}

export async function insertAlerts(
  tx: Tx,
  { id, address, alerts, now, dueAt }: Alerts & { id: string; dueAt: Date },
): Promise<void> {
  await tx`
    insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, events, created_at, due_at)
    values (${id}, 'events', 'operator', ${OPERATORS}, ${address}, ${address.toLowerCase()}, ${arrayOf(tx, alerts)}, ${now}, ${dueAt})
    on conflict (id) do nothing`;
}

const arrayOf = (tx: Tx, alerts: readonly QueuedAlert[]) => tx`(
  select jsonb_agg(jsonb_build_object('id', a.id, 'type', a.type, 'occurred_at', a.occurred_at, 'data', a.data::jsonb)
    order by a.place)
  from unnest(
    ${alerts.map(({ id }) => id)}::text[], ${alerts.map(({ type }) => type)}::text[],
    ${alerts.map(({ occurred_at: at }) => at)}::text[], ${alerts.map(({ data }) => data)}::text[]
  ) with ordinality as a (id, type, occurred_at, data, place))`;

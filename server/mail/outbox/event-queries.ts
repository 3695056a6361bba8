import type { StreamRow } from '../../events/public.ts';
import type { MailAccount } from '../../ports/mail.ts';
import type { Tx } from '../../ports/database.ts';

/** One row of an account's stream. */
export type AccountEventRow = { account: MailAccount; row: StreamRow };

/**
 * Queues an email for each event that its account wants at once. The id of the email follows from the event, so a second
 * try queues nothing.
 */
export async function insertEventMail(tx: Tx, rows: AccountEventRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, events, created_at, due_at)
    select md5(c.account_id || ' ' || e.id)::uuid, 'events', c.account_kind, c.account_id, c.address, lower(c.address),
      jsonb_build_array(${eventObject(tx)}), ${now}, ${now}
    from ${listed(tx, rows)} ${wanting(tx, 'each')}
    on conflict (id) do nothing`;
}

/** Keeps the events that their accounts want in their next daily email. */
export async function insertDigestEvents(tx: Tx, rows: AccountEventRow[], dueAt: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into mail_digest_events (account_kind, account_id, event_id, event, due_at)
    select c.account_kind, c.account_id, e.id, ${eventObject(tx)}, ${dueAt}
    from ${listed(tx, rows)} ${wanting(tx, 'daily')}
    on conflict do nothing`;
}

const eventObject = (tx: Tx) => tx`
  jsonb_build_object('id', e.id, 'type', e.type, 'occurred_at', e.occurred_at, 'data', e.data::jsonb)`;

const listed = (tx: Tx, rows: AccountEventRow[]) => tx`
  unnest(
    ${rows.map(({ account }) => account.kind)}::text[], ${rows.map(({ account }) => account.id)}::uuid[],
    ${rows.map(({ row }) => row.id)}::uuid[], ${rows.map(({ row }) => row.type)}::text[],
    ${rows.map(({ row }) => row.occurredAt.toISOString())}::text[], ${rows.map(({ row }) => row.data)}::text[]
  ) as e (account_kind, account_id, id, type, occurred_at, data)`;

const wanting = (tx: Tx, delivery: 'each' | 'daily') => tx`
  join mail_contacts c on c.account_kind = e.account_kind and c.account_id = e.account_id
  where c.address is not null and c.unsubscribed_at is null and c.refused_address is distinct from c.address
    and c.delivery = ${delivery} and e.type = any(c.types)`;

/** Locks accounts whose daily email is due. Index mail_digest_events_due. */
export async function lockDigests(tx: Tx, now: Date, limit: number): Promise<MailAccount[]> {
  return await tx<MailAccount[]>`
    select account_kind as kind, account_id as id from mail_contacts c
    where exists (
      select 1 from mail_digest_events d
      where d.account_kind = c.account_kind and d.account_id = c.account_id and d.due_at <= ${now})
    limit ${limit} for no key update skip locked`;
}

/** Turns the events of locked accounts into one email each. */
export async function insertDigests(tx: Tx, accounts: MailAccount[], now: Date): Promise<void> {
  if (accounts.length === 0) return;
  await tx`
    with taken as (
      delete from mail_digest_events d
      using unnest(${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ id }) => id)}::uuid[]) as a (kind, id)
      where d.account_kind = a.kind and d.account_id = a.id and d.due_at <= ${now}
      returning d.*
    )
    insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, events, created_at, due_at)
    select md5(c.account_id || ' daily ' || min(t.event_id::text))::uuid, 'events', c.account_kind, c.account_id, c.address,
      lower(c.address), jsonb_agg(t.event order by t.event ->> 'occurred_at', t.event_id), ${now}, ${now}
    from taken t join mail_contacts c on c.account_kind = t.account_kind and c.account_id = t.account_id
    where c.address is not null
    group by c.account_kind, c.account_id
    on conflict (id) do nothing`;
}

import type { MailAccount, MailOperators } from './types.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { StreamRow } from '../events/public.ts';
import type { MailEvent } from './event-words.ts';

/** An email that a process has leased, with what its account wants now. */
export type LeasedMail = {
  id: string;
  kind: 'verification' | 'events' | 'farewell';
  account: MailAccount | MailOperators;
  address: string;
  events: MailEvent[];
  createdAt: Date;
  attempts: number;
  /** The address in use, if its owner still wants emails. Null for operators, whose addresses are a setting. */
  activeAddress: string | null;
  /** The hash of the link that is still open. */
  linkHash: Buffer | null;
};

type Lease = { token: string; now: Date; until: Date };

/** Leases emails that are due. Index mail_outbox_due. */
export async function claimMail(tx: Tx, { token, now, until }: Lease, limit: number): Promise<LeasedMail[]> {
  const rows = await tx<
    (Omit<LeasedMail, 'account'> & { accountKind: LeasedMail['account']['kind']; accountId: string })[]
  >`
    with due as (
      select id from mail_outbox where due_at <= ${now} and (lease_until is null or lease_until <= ${now})
      order by due_at limit ${limit} for update skip locked
    ), leased as (
      update mail_outbox m set token = ${token}, lease_until = ${until} from due where m.id = due.id returning m.*
    )
    select m.id, m.kind, m.account_kind as "accountKind", m.account_id as "accountId", m.address, m.events,
      m.created_at as "createdAt", m.attempts,
      case when c.unsubscribed_at is null and c.refused_address is distinct from c.address then c.address end
        as "activeAddress",
      case when c.link_expires_at > ${now} then c.link_hash end as "linkHash"
    from leased m left join mail_contacts c on c.account_kind = m.account_kind and c.account_id = m.account_id
    order by m.due_at`;
  return rows.map(({ accountKind, accountId, ...row }) => ({ ...row, account: { kind: accountKind, id: accountId } }));
}

/** The state of an email after an attempt. Without `dueAt` and `sentAt`, the email is given up. */
export type SettledMail = { dueAt: Date | null; sentAt: Date | null; failure: string | null };

/** Ends a lease. Returns false when another process has taken the email over, and changes nothing then. */
export async function settleMail(tx: Tx, id: string, token: string, settled: SettledMail): Promise<boolean> {
  const { dueAt, sentAt, failure } = settled;
  const rows = await tx`
    update mail_outbox set attempts = attempts + 1, due_at = ${dueAt}, sent_at = ${sentAt}, failure = ${failure},
      events = case when ${dueAt}::timestamptz is null then '[]' else events end, lease_until = null, token = null
    where id = ${id} and token = ${token} returning 1`;
  return rows.length > 0;
}

/** Ends an email that nobody wants any more: it counts as no attempt, and not as given up. */
export async function dropMail(db: Queryable, id: string, token: string): Promise<void> {
  await db`
    update mail_outbox set due_at = null, events = '[]', failure = null, lease_until = null, token = null
    where id = ${id} and token = ${token}`;
}

/** Records that a mail server refused an address permanently, and forgets a link that was to be sent to it. */
export async function markRefused(
  tx: Tx,
  { account, address, reason, now }: { account: MailAccount; address: string; reason: string; now: Date },
): Promise<void> {
  await tx`
    update mail_contacts set refused_address = ${address}, refused_reason = ${reason}, refused_at = ${now},
      pending_address = nullif(pending_address, ${address}),
      link_hash = case when pending_address = ${address} then null else link_hash end,
      link_expires_at = case when pending_address = ${address} then null else link_expires_at end
    where account_kind = ${account.kind} and account_id = ${account.id} and ${address} in (address, pending_address)`;
}

/** Queues an email with the link to an address, or one that says that the address gets no more of them. */
export async function insertMail(
  tx: Tx,
  kind: 'verification' | 'farewell',
  mail: { id: string; account: MailAccount; address: string; now: Date },
): Promise<void> {
  const { id, account, address, now } = mail;
  await tx`
    insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, created_at, due_at)
    values (${id}, ${kind}, ${account.kind}, ${account.id}, ${address}, ${mailboxOf(address)}, ${now}, ${now})`;
}

/** One row of an account's stream. `about`: the id on which the email's id depends. */
export type AccountEventRow = { account: MailAccount; row: StreamRow; about: string };

/**
 * Queues an email for each event whose account has an address that takes emails. The id of the email follows from the
 * event, so a second try queues nothing.
 */
export async function insertEventMail(tx: Tx, rows: AccountEventRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, events, created_at, due_at)
    select md5(c.account_id || ' ' || e.id)::uuid, 'events', c.account_kind, c.account_id, c.address, lower(c.address),
      jsonb_build_array(e.event::jsonb), ${now}, ${now}
    from unnest(
      ${rows.map(({ account }) => account.kind)}::text[], ${rows.map(({ account }) => account.id)}::uuid[],
      ${rows.map(({ about }) => about)}::uuid[], ${rows.map(({ row }) => eventJson(row))}::text[]
    ) as e (account_kind, account_id, id, event)
    join mail_contacts c on c.account_kind = e.account_kind and c.account_id = e.account_id
    where c.address is not null and c.unsubscribed_at is null and c.refused_address is distinct from c.address
    on conflict (id) do nothing`;
}

/** The outbox knows operators as one account, because their addresses are a setting. */
const OPERATORS = '00000000-0000-0000-0000-000000000000';

/** Queues an email about alerts for an address of the operators. */
export async function insertAlertMail(
  tx: Tx,
  { id, address, alerts, now }: { id: string; address: string; alerts: StreamRow[]; now: Date },
): Promise<void> {
  await tx`
    insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, events, created_at, due_at)
    values (${id}, 'events', 'operator', ${OPERATORS}, ${address}, ${address.toLowerCase()},
      ${`[${alerts.map(eventJson).join(',')}]`}::text::jsonb, ${now}, ${now})
    on conflict (id) do nothing`;
}

/** Returns a row of the log as `MailEvent` in JSON. */
function eventJson({ id, type, occurredAt, data }: StreamRow): string {
  return JSON.stringify({ id, type, occurred_at: occurredAt, data: JSON.parse(data) as unknown });
}

/** Returns what the limits count: `Ann+shop@X.org` reaches the mailbox of `ann@x.org`. */
function mailboxOf(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*@/, '@');
}

/**
 * Counts the links that were sent to an account and to a mailbox since a time. Until the transaction ends, other requests
 * for the same mailbox wait. The caller has locked the account's contact. Indexes mail_outbox_account and
 * mail_outbox_verifications.
 */
export async function countVerifications(
  tx: Tx,
  account: MailAccount,
  address: string,
  since: Date,
): Promise<{ ofAccount: number; oldestOfAccount: Date | null; ofAddress: number; oldestOfAddress: Date | null }> {
  const mailbox = mailboxOf(address);
  await tx`select pg_advisory_xact_lock(${MAILBOX_LOCK}, hashtext(${mailbox}))`;
  const [row] = await tx<
    [{ ofAccount: number; oldestOfAccount: Date | null; ofAddress: number; oldestOfAddress: Date | null }]
  >`
    select a.count as "ofAccount", a.oldest as "oldestOfAccount", m.count as "ofAddress", m.oldest as "oldestOfAddress"
    from (
      select count(*)::integer as count, min(created_at) as oldest from mail_outbox
      where account_kind = ${account.kind} and account_id = ${account.id} and kind = 'verification' and created_at > ${since}
    ) a, (
      select count(*)::integer as count, min(created_at) as oldest from mail_outbox
      where mailbox = ${mailbox} and kind = 'verification' and created_at > ${since}
    ) m`;
  return row;
}

// Two accounts could both find room for one mailbox, so each takes this advisory lock with the mailbox.
const MAILBOX_LOCK = 7_266_440;

/** Removes emails that ended before a time. Returns how many. Index mail_outbox_created. */
export async function deleteOldMail(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db`
    delete from mail_outbox where id in (
      select id from mail_outbox where created_at < ${before} and due_at is null order by created_at limit ${limit})
    returning 1`;
  return rows.length;
}

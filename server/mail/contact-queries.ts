import type { MailAccount } from './types.ts';
import type { Queryable, Tx } from '../db/database.ts';

export type ContactRow = {
  address: string | null;
  verifiedAt: Date | null;
  pendingAddress: string | null;
  linkExpiresAt: Date | null;
  unsubscribedAt: Date | null;
  refusedAddress: string | null;
  refusedReason: string | null;
  refusedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const columns = (db: Queryable) => db`
  address, verified_at as "verifiedAt", pending_address as "pendingAddress", link_expires_at as "linkExpiresAt",
  unsubscribed_at as "unsubscribedAt", refused_address as "refusedAddress", refused_reason as "refusedReason",
  refused_at as "refusedAt", created_at as "createdAt", updated_at as "updatedAt"`;

const ofAccount = (db: Queryable, { kind, id }: MailAccount) => db`account_kind = ${kind} and account_id = ${id}`;

export async function findContact(db: Queryable, account: MailAccount): Promise<ContactRow | null> {
  const [row] = await db<ContactRow[]>`select ${columns(db)} from mail_contacts where ${ofAccount(db, account)}`;
  return row ?? null;
}

/** Returns the contact and keeps it unchanged until the transaction ends. Creates it without an address. */
export async function lockContact(tx: Tx, account: MailAccount, now: Date): Promise<ContactRow> {
  // One statement, because another transaction could delete the contact between two of them.
  const [row] = await tx<[ContactRow]>`
    insert into mail_contacts (account_kind, account_id, created_at, updated_at)
    values (${account.kind}, ${account.id}, ${now}, ${now})
    on conflict (account_kind, account_id) do update set updated_at = mail_contacts.updated_at
    returning ${columns(tx)}`;
  return row;
}

/** A link that is to be sent to an address. */
export type OpenLink = { address: string; hash: Buffer; expiresAt: Date };

/** Writes the link that is open from now on: none, if `link` is null. */
export async function updateContact(
  tx: Tx,
  account: MailAccount,
  { link, now }: { link: OpenLink | null; now: Date },
): Promise<ContactRow> {
  const [row] = await tx<[ContactRow]>`
    update mail_contacts set pending_address = ${link?.address ?? null},
      link_hash = ${link?.hash ?? null}, link_expires_at = ${link?.expiresAt ?? null}, updated_at = ${now}
    where ${ofAccount(tx, account)} returning ${columns(tx)}`;
  return row;
}

/** Returns null when there is none. */
export async function deleteContactRow(db: Queryable, account: MailAccount): Promise<ContactRow | null> {
  const [row] = await db<ContactRow[]>`
    delete from mail_contacts where ${ofAccount(db, account)} returning ${columns(db)}`;
  return row ?? null;
}

/** The address that a link replaced: null without one, and when it got no emails any more. */
export type LinkUsed = { account: MailAccount; replaced: string | null };

/** Uses the address of a link from now on. Returns null for a link that is unknown, used, replaced, or expired. */
export async function useLink(db: Queryable, hash: Buffer, now: Date): Promise<LinkUsed | null> {
  const [row] = await db<(MailAccount & Pick<LinkUsed, 'replaced'>)[]>`
    update mail_contacts set address = pending_address, verified_at = ${now}, pending_address = null, link_hash = null,
      link_expires_at = null, unsubscribed_at = null, refused_address = null, refused_reason = null, refused_at = null,
      updated_at = ${now}
    where link_hash = ${hash} and link_expires_at > ${now}
    returning account_kind as kind, account_id as id, case when old.unsubscribed_at is null
      and old.refused_address is distinct from old.address and old.address <> mail_contacts.address then old.address end
      as replaced`;
  return row ? { account: { kind: row.kind, id: row.id }, replaced: row.replaced } : null;
}

/** Ends the emails of an account to an address. */
export async function endMail(tx: Tx, account: MailAccount, address: string, now: Date): Promise<void> {
  await tx`
    update mail_contacts set unsubscribed_at = coalesce(unsubscribed_at, ${now}), updated_at = ${now}
    where ${ofAccount(tx, account)} and address = ${address}`;
}

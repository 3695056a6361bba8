import { createHash } from 'node:crypto';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { endMail, findContact, useLink } from './contact-queries.ts';
import { insertMail } from './outbox-queries.ts';

/** Starts emails to the address of a link. Returns false for a link that is unknown, used, replaced, or expired. */
export async function confirmAddress(
  { db, clock, newId }: Pick<Deps, 'db' | 'clock' | 'newId'>,
  token: string,
): Promise<boolean> {
  const now = clock.now();
  return await withTransaction(db, async (tx) => {
    const used = await useLink(tx, createHash('sha256').update(token).digest(), now);
    if (used?.replaced) await insertMail(tx, 'farewell', { id: newId(), ...used, address: used.replaced, now });
    return used !== null;
  });
}

/**
 * Ends the emails that a link belongs to. Returns false for a link that the service did not make. A link of an address
 * that is no longer in use changes nothing, because no email goes there.
 */
export async function unsubscribe(
  { db, clock, mailTokens }: Pick<Deps, 'db' | 'clock' | 'mailTokens'>,
  token: string,
): Promise<boolean> {
  const link = mailTokens.readUnsubscribe(token);
  if (!link) return false;
  await withTransaction(db, async (tx) => {
    const contact = await findContact(tx, link.account);
    const { address = null } = contact ?? {};
    if (address === null || mailTokens.addressHash(address) !== link.addressHash) return;
    await endMail(tx, link.account, address, clock.now());
  });
  return true;
}

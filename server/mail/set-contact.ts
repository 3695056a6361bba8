import { createHash } from 'node:crypto';
import type { contactOperations } from '../../contract/contacts.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { withTransaction } from '../db/public.ts';
import type { AccountCaller } from '../callers.ts';
import type { Context } from '../deps.ts';
import type { Tx } from '../db/database.ts';
import type { MailAccount } from './types.ts';
import { countVerifications, insertMail } from './outbox-queries.ts';
import { contactStatusOf, mailAccountOf, requireMail, shownContact } from './contacts.ts';
import { deleteContactRow, lockContact, type OpenLink, updateContact } from './contact-queries.ts';

const DAY_MS = 86_400_000;
const LINK_MS = DAY_MS;
/** Links that are sent in 24 hours, so that nobody can use the service to mail strangers. */
const MAX_LINKS_OF_ACCOUNT = 5;
const MAX_LINKS_TO_ADDRESS = 3;
/** The contract's bound of a contact address. A registration takes longer ones. */
const LONGEST_ADDRESS = 254;

type Operation = typeof contactOperations.setPosterContact;

/** Sets or deletes the address of a poster or of the agent's owner. */
export async function setContact(
  ctx: Context<AccountCaller>,
  { body }: Pick<Input<Operation>, 'body'>,
): Promise<Output<Operation>> {
  const account = mailAccountOf(ctx.caller);
  if (body.address === null) return await deleteContact(ctx, account);
  requireMail(ctx);
  const address = withLowerHost(body.address);
  const now = ctx.clock.now();
  return await withTransaction(ctx.db, async (tx) => {
    const existing = await lockContact(tx, account, now);
    const isInUse = contactStatusOf(existing) === 'active' && existing.address?.toLowerCase() === address.toLowerCase();
    const link = isInUse ? null : await sendLink(ctx, tx, { account, address, now });
    const contact = shownContact(await updateContact(tx, account, { link, now }), now);
    const message = link
      ? 'A link is on its way to the address. Emails start once it is opened.'
      : 'This address is in use already.';
    return { message, link_sent: link !== null, contact };
  });
}

/**
 * Deletes the address, also where no mail server is set. Emails that wait in the outbox are not sent any more. The address
 * learns that it gets no more of them: a stolen key could silence the warnings of its owner otherwise.
 */
async function deleteContact(ctx: Context<AccountCaller>, account: MailAccount): Promise<Output<Operation>> {
  await withTransaction(ctx.db, async (tx) => {
    const row = await deleteContactRow(tx, account);
    if (!ctx.sendMail || !row?.address || contactStatusOf(row) !== 'active') return;
    await insertMail(tx, 'farewell', { id: ctx.newId(), account, address: row.address, now: ctx.clock.now() });
  });
  return { message: 'No more emails are sent to this account.', link_sent: false, contact: null };
}

type LinkParts = Pick<Context<AccountCaller>, 'newId' | 'mailTokens'>;
type Wanted = { account: MailAccount; address: string; now: Date };

/**
 * Sends the link to the address that a new account names at its registration. Returns whether it did: a service without a
 * mail server sends none, and a mailbox gets few a day, also from accounts of strangers. The account exists in either case.
 */
export async function offerContact(
  ctx: LinkParts & { sendMail: unknown },
  tx: Tx,
  { account, address: given, now }: Wanted,
): Promise<boolean> {
  const address = withLowerHost(given);
  if (!ctx.sendMail || address.length > LONGEST_ADDRESS || (await lackOfRoom(tx, { account, address, now })))
    return false;
  await lockContact(tx, account, now);
  const link = await queueLink(ctx, tx, { account, address, now });
  await updateContact(tx, account, { link, now });
  return true;
}

/** Sends a new link. The link before it ends. @throws DomainError RATE_LIMIT_EXCEEDED */
async function sendLink(ctx: LinkParts, tx: Tx, wanted: Wanted): Promise<OpenLink> {
  const lack = await lackOfRoom(tx, wanted);
  if (lack) throw lack;
  return await queueLink(ctx, tx, wanted);
}

/** Queues the email with the link. */
async function queueLink(
  { newId, mailTokens }: LinkParts,
  tx: Tx,
  { account, address, now }: Wanted,
): Promise<OpenLink> {
  const id = newId();
  await insertMail(tx, 'verification', { id, account, address, now });
  // The sender makes the same token from the id, so that the database holds only its hash.
  const [token] = mailTokens.verification(id);
  const hash = createHash('sha256').update(token).digest();
  return { address, hash, expiresAt: new Date(now.getTime() + LINK_MS) };
}

/** Returns why no link may be sent now, or null. */
async function lackOfRoom(tx: Tx, { account, address, now }: Wanted): Promise<DomainError | null> {
  const sent = await countVerifications(tx, account, address, new Date(now.getTime() - DAY_MS));
  const refusal = (what: string, oldest: Date | null) => {
    const retryAfterSeconds = Math.max(1, Math.ceil(((oldest ?? now).getTime() + DAY_MS - now.getTime()) / 1000));
    return new DomainError('RATE_LIMIT_EXCEEDED', `${what} in 24 hours. Try again in ${retryAfterSeconds} seconds.`, {
      retryAfterSeconds,
    });
  };
  if (sent.ofAccount >= MAX_LINKS_OF_ACCOUNT)
    return refusal(`The service sends an account at most ${MAX_LINKS_OF_ACCOUNT} links`, sent.oldestOfAccount);
  if (sent.ofAddress >= MAX_LINKS_TO_ADDRESS)
    return refusal(`The service sends an address at most ${MAX_LINKS_TO_ADDRESS} links`, sent.oldestOfAddress);
  return null;
}

/** A host name has one spelling; the part before the @ belongs to its host. */
function withLowerHost(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

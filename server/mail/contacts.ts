import type { contactOperations } from '../../contract/contacts.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import type { AccountCaller } from '../callers.ts';
import type { MailAccount } from './types.ts';
import { type ContactRow, deleteContactRow, findContact } from './contact-queries.ts';
import { insertMail } from './outbox-queries.ts';
import { snakeCased } from '../snake-case.ts';

type Shown = Output<typeof contactOperations.getPosterContact>;
type Contact = NonNullable<Shown['contact']>;

/** Returns the address of the poster or of the agent's owner. */
export async function getContact(ctx: Context<AccountCaller>): Promise<Shown> {
  const row = await findContact(ctx.db, mailAccountOf(ctx.caller));
  return { contact: row && shownContact(row, ctx.clock.now()), sends_email: ctx.sendMail !== null };
}

/**
 * Deletes the address, also where no mail server is set. Emails that wait in the outbox are not sent any more. The address
 * learns that it gets no more of them: a stolen key could silence the warnings of its owner otherwise.
 */
export async function deleteContact(ctx: Context<AccountCaller>): Promise<{ message: string }> {
  const account = mailAccountOf(ctx.caller);
  await withTransaction(ctx.db, async (tx) => {
    const row = await deleteContactRow(tx, account);
    if (!row) throw noContact();
    const { address } = row;
    if (!ctx.sendMail || address === null || contactStatusOf(row) !== 'active') return;
    await insertMail(tx, 'farewell', { id: ctx.newId(), account, address, now: ctx.clock.now() });
  });
  return { message: 'The contact address is deleted. No more emails are sent to it.' };
}

export function mailAccountOf(caller: AccountCaller): MailAccount {
  return caller.kind === 'agent' ? { kind: 'agent', id: caller.agentId } : { kind: 'poster', id: caller.posterId };
}

/** Returns whether emails of events are sent, and if not, why. */
export function contactStatusOf(row: ContactRow): Contact['status'] {
  if (row.unsubscribedAt) return 'unsubscribed';
  if (row.address) return row.refusedAddress === row.address ? 'disabled' : 'active';
  return row.refusedAddress !== null && row.pendingAddress === null ? 'disabled' : 'unverified';
}

export function shownContact(row: ContactRow, now: Date): Contact {
  const isOpen = row.linkExpiresAt !== null && row.linkExpiresAt > now;
  const { refusedAddress: address, refusedReason: reason, refusedAt: at } = row;
  return {
    ...snakeCased(row),
    status: contactStatusOf(row),
    pending_address: isOpen ? row.pendingAddress : null,
    link_expires_at: isOpen ? row.linkExpiresAt : null,
    refused: address !== null && reason !== null && at !== null ? { address, reason, at } : null,
  };
}

function noContact(): DomainError {
  return new DomainError('NOT_FOUND', 'This account has no contact address.');
}

/** @throws DomainError EMAIL_UNAVAILABLE if the operator has set no mail server */
export function requireMail({ sendMail }: { sendMail: unknown }): void {
  if (sendMail) return;
  throw new DomainError(
    'EMAIL_UNAVAILABLE',
    'This service sends no email: its operator has not set SMTP_URL. Use webhooks or poll the events instead.',
  );
}

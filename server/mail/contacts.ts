import type { contactOperations } from '../../contract/contacts.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import type { AccountCaller } from '../callers.ts';
import type { MailAccount } from './types.ts';
import { type ContactRow, findContact } from './contact-queries.ts';
import { snakeCased } from '../snake-case.ts';

type Shown = Output<typeof contactOperations.getPosterContact>;
type Contact = NonNullable<Shown['contact']>;

/** Returns the address of the poster or of the agent's owner. */
export async function getContact(ctx: Context<AccountCaller>): Promise<Shown> {
  const row = await findContact(ctx.db, mailAccountOf(ctx.caller));
  return { contact: row && shownContact(row, ctx.clock.now()), sends_email: ctx.sendMail !== null };
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

/** @throws DomainError EMAIL_UNAVAILABLE if the operator has set no mail server */
export function requireMail({ sendMail }: { sendMail: unknown }): void {
  if (sendMail) return;
  throw new DomainError(
    'EMAIL_UNAVAILABLE',
    'This service sends no email: its operator has not set SMTP_URL. Use webhooks or poll the events instead.',
  );
}

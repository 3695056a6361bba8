import { DomainError } from '../../../contract/basics/errors.ts';
import type { AgentCaller, PosterCaller } from '../../ports/callers.ts';
import type { MailAccount } from '../../ports/mail.ts';
import type { ContactRow } from './queries.ts';

export function mailAccountOf(caller: AgentCaller | PosterCaller): MailAccount {
  return caller.kind === 'agent' ? { kind: 'agent', id: caller.agentId } : { kind: 'poster', id: caller.posterId };
}

export type ContactStatus = 'unverified' | 'active' | 'unsubscribed' | 'disabled';

/** Returns whether emails of events are sent, and if not, why. */
export function contactStatusOf(row: ContactRow): ContactStatus {
  if (row.unsubscribedAt) return 'unsubscribed';
  if (row.address) return row.refusedAddress === row.address ? 'disabled' : 'active';
  return row.refusedAddress !== null && row.pendingAddress === null ? 'disabled' : 'unverified';
}

/** Returns the contact as answers show it. `types` are those that the contract lists for this kind of account. */
export function shownContact<Type extends string>(row: ContactRow, known: readonly Type[], now: Date) {
  const isOpen = row.linkExpiresAt !== null && row.linkExpiresAt > now;
  return {
    status: contactStatusOf(row),
    address: row.address,
    verified_at: row.verifiedAt,
    pending_address: isOpen ? row.pendingAddress : null,
    link_expires_at: isOpen ? row.linkExpiresAt : null,
    types: known.filter((type) => row.types.includes(type)),
    delivery: row.delivery,
    refused:
      row.refusedAddress !== null && row.refusedReason !== null && row.refusedAt !== null
        ? { address: row.refusedAddress, reason: row.refusedReason, at: row.refusedAt }
        : null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

export function noContact(): DomainError {
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

import type { MailOutcome } from './types.ts';

/** The part of nodemailer's errors that tells what to do. */
export type SmtpFailure = { message?: string; responseCode?: number; response?: string; command?: string };

const MAX_REASON = 300;
/** RFC 3463: 5.1.x is a bad address, 5.2.0 and 5.2.1 a mailbox that takes no email. */
const DEAD_ADDRESS = /^5\d\d[ -]5\.(?:1\.\d+|2\.[01]\b)/;
/** RFC 3463: a full mailbox, or a cause that is not the address: servers, protocol, or their policy. */
const OTHER_CAUSE = /^5\d\d[ -]5\.[2-7]\.\d+/;

/**
 * Judges an attempt that failed. Only the server's word on the recipient disables an address. A refusal of the service
 * itself (its sign-in, its sender) is for the operator to correct, so the email is tried again.
 */
export function outcomeOf({ message, responseCode, response = '', command = '' }: SmtpFailure): MailOutcome {
  const reason = oneLine(response || message || 'the mail server did not answer');
  if (!responseCode || responseCode < 500) return { kind: 'later', reason };
  if (DEAD_ADDRESS.test(response)) return { kind: 'dead_address', reason };
  if (command === 'RCPT TO') return { kind: OTHER_CAUSE.test(response) ? 'later' : 'dead_address', reason };
  return { kind: command === 'DATA' ? 'refused' : 'later', reason };
}

/** The answer of a stranger's server, for people: one line without control characters. */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON);
}

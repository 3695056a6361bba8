import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Mail, MailOutcome, SendMail } from './types.ts';
import { outcomeOf, type SmtpFailure } from './smtp-failure.ts';

/** For the connection, the TLS handshake, and each answer of the server. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
/** For the whole email. The lease of the outbox is longer. */
const DEADLINE_MS = 45_000;

type Times = { connectMs?: number; silenceMs?: number; deadlineMs?: number };

/**
 * Sends emails to the server of an SMTP URL, each over a connection of its own. Emails are few, and a connection that is
 * kept open would often be dead when the next email comes.
 */
export function createSmtpTransport({ url, from, times = {} }: { url: string; from: string; times?: Times }): SendMail {
  const { connectMs = CONNECT_MS, silenceMs = SILENCE_MS, deadlineMs = DEADLINE_MS } = times;
  const transport = createTransport({
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    // An email has no files, and no text may make it read one.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async (mail) => {
    const over = Promise.withResolvers<MailOutcome>();
    const timer = setTimeout(() => over.resolve({ kind: 'later', reason: 'the mail server is too slow' }), deadlineMs);
    const sending = transport.sendMail(messageOf(mail, from)).then(
      (): MailOutcome => ({ kind: 'sent' }),
      (error: unknown) => outcomeOf(error as SmtpFailure),
    );
    try {
      return await Promise.race([sending, over.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function messageOf({ to, messageId, subject, text, headers, date }: Mail, from: string): SendMailOptions {
  return {
    from,
    // As an object, the address is one address: nodemailer parses no list from it.
    to: { name: '', address: to },
    messageId,
    subject,
    text,
    date,
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
  };
}

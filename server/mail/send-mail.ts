import { createHash } from 'node:crypto';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import type { Mail, MailOutcome, SendMail } from './types.ts';
import { alertsLetter, eventLetter, farewellLetter, verificationLetter } from './letters.ts';
import { type Letter, writeLetter } from './letter.ts';
import {
  claimMail,
  deleteOldMail,
  dropMail,
  type LeasedMail,
  markRefused,
  type SettledMail,
  settleMail,
} from './outbox-queries.ts';

type MailDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'newId' | 'sendMail' | 'mailTokens' | 'publicUrl' | 'log'>;

/** Longer than one attempt can take. */
const LEASE_MS = 120_000;
/** Emails that a process sends at once: mail servers refuse clients with many connections. */
const AT_ONCE = 4;
/** A run ends after this time, so that a slow mail server does not keep the next emails from being queued. */
const RUN_MS = 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The waits after failed attempts, 47 hours together. After the last one, the email is given up. */
const BACK_OFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS];
const KEPT_MS = 7 * 24 * HOUR_MS;
const REMOVED_AT_ONCE = 500;

/**
 * Sends the emails that are due, a few at a time. Each is leased, so that two processes do not send it both. A process
 * that is killed between sending and writing leaves the email to be sent again, with the same Message-ID.
 */
export async function sendDueMail(deps: MailDeps, stopping: AbortSignal): Promise<void> {
  const { sendMail } = deps;
  if (!sendMail) return;
  const endsAt = performance.now() + RUN_MS;
  while (!stopping.aborted && performance.now() < endsAt && (await sendBatch(deps, sendMail)) > 0);
}

async function sendBatch(deps: MailDeps, sendMail: SendMail): Promise<number> {
  const { db, clock, newId } = deps;
  const token = newId();
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const mails = await withTransaction(db, (tx) => claimMail(tx, { token, now, until }, AT_ONCE));
  await Promise.all(mails.map((mail) => sendOne(deps, sendMail, mail, token)));
  return mails.length;
}

async function sendOne(deps: MailDeps, sendMail: SendMail, leased: LeasedMail, token: string): Promise<void> {
  const { db, log } = deps;
  const mail = mailOf(deps, leased);
  if (!mail) {
    await dropMail(db, leased.id, token);
    return;
  }
  const outcome = await sendMail(mail);
  const settled = settledBy(outcome, leased.attempts, deps.clock.now());
  await withTransaction(db, async (tx) => {
    const isOurs = await settleMail(tx, leased.id, token, settled);
    const { account, address } = leased;
    if (!isOurs || outcome.kind !== 'dead_address' || account.kind === 'operator') return;
    await markRefused(tx, { account, address, reason: outcome.reason, now: deps.clock.now() });
  });
  if (outcome.kind === 'sent') return;
  const reason = withoutAddress(outcome.reason, leased.address);
  log.warn({ mailId: leased.id, outcome: outcome.kind, reason }, 'email not sent');
}

/** Returns the words of a mail server without any address or link, because logs hold none. */
function withoutAddress(reason: string, address: string): string {
  const [name = ''] = address.split('@');
  const [user = ''] = name.split('+');
  const names = [name, user].filter((each) => each !== '').map((each) => RegExp.escape(each));
  const ofName = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${names.join('|')})(?![\p{L}\p{N}])`, 'giu');
  return reason
    .replaceAll(/https?:\/\/\S+/gi, '(link)')
    .replaceAll(/[^\s<>]+@[^\s<>]+/g, '(address)')
    .replaceAll(ofName, '(address)');
}

/** Returns the email as it is sent now; null when the account does not want it any more. */
function mailOf(deps: MailDeps, leased: LeasedMail): Mail | null {
  const { publicUrl } = deps;
  const { account } = leased;
  const site = new URL(publicUrl).host;
  const write = (letter: Letter, headers: Record<string, string>): Mail => ({
    ...writeLetter(letter),
    to: leased.address,
    messageId: `<${leased.id}@${new URL(publicUrl).hostname}>`,
    headers,
    date: leased.createdAt,
  });
  if (leased.kind === 'verification') {
    const isOpen = (token: string) => leased.linkHash?.equals(createHash('sha256').update(token).digest());
    const token = deps.mailTokens.verification(leased.id).find(isOpen);
    return token ? write(verificationLetter({ url: `${publicUrl}/mail/verify/${token}`, site }), {}) : null;
  }
  if (account.kind === 'operator') {
    const isListed = deps.config.operatorEmails.includes(leased.address);
    return isListed ? write(alertsLetter({ events: leased.events, publicUrl }), {}) : null;
  }
  if (leased.kind === 'farewell') return write(farewellLetter({ kind: account.kind, site }), {});
  const [event] = leased.events;
  if (!event || leased.activeAddress !== leased.address) return null;
  // Judging is over already: the project had no time for it, or the mail server was away.
  const until = event.data['judging_ends_at'];
  if (typeof until === 'string' && Date.parse(until) <= deps.clock.now().getTime()) return null;
  const unsubscribeUrl = `${publicUrl}/mail/unsubscribe/${deps.mailTokens.unsubscribe(account, leased.address)}`;
  return write(eventLetter({ kind: account.kind, event, publicUrl, unsubscribeUrl }), {
    // RFC 8058: the receiver's mail program offers a button that sends one POST.
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
}

/** Returns what an attempt leaves in the outbox. `attempts`: how many came before it. */
function settledBy(outcome: MailOutcome, attempts: number, now: Date): SettledMail {
  if (outcome.kind === 'sent') return { dueAt: null, sentAt: now, failure: null };
  const { [attempts]: waitMs } = BACK_OFF_MS;
  const isOver = outcome.kind !== 'later' || waitMs === undefined;
  return { dueAt: isOver ? null : new Date(now.getTime() + waitMs), sentAt: null, failure: outcome.reason };
}

/** Removes the emails of a week ago that have ended. */
export async function removeOldMail({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  while (!stopping.aborted && (await deleteOldMail(db, before, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
}

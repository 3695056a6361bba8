import type { MailEvent } from './event-words.ts';
import { inert, type Letter } from './letter.ts';

/** An email lists at most this many alerts. */
const MAX_LISTED = 50;
const MAX_MESSAGE = 500;
const MAX_SUBJECT = 100;

/** The page of the console where an operator acts; the overview for others. */
const PAGES: Partial<Record<string, string>> = {
  'ALERT.PAYMENT_NOT_BOOKED': '/operator/money',
  'ALERT.PAYMENT_FOREIGN': '/operator/money',
  'ALERT.PAYOUT_NONCE_SPENT': '/operator/money/payouts',
  'ALERT.PAYOUT_HELD': '/operator/money/payouts?state=held',
  'ALERT.STRAY_TRANSFER': '/operator/money/strays?state=unclaimed',
};

/** Reports alerts to an operator, oldest first. Messages may quote strangers, so they are inert. */
export function alertsLetter({ events, publicUrl }: { events: MailEvent[]; publicUrl: string }): Letter {
  const { host } = new URL(publicUrl);
  const listed = events.slice(0, MAX_LISTED);
  const left = events.length - listed.length;
  const [first] = listed;
  return {
    subject:
      events.length === 1 && first ? `${host}: ${messageOf(first, MAX_SUBJECT)}` : `${host}: ${events.length} alerts`,
    paragraphs: [
      ...listed.map((event) => ({
        text: `${inert(event.type)} at ${timeOf(event)}${aboutOf(event)}\n${messageOf(event, MAX_MESSAGE)}`,
        link: { label: 'Open the page', url: `${publicUrl}${PAGES[event.type] ?? '/operator'}` },
      })),
      ...(left > 0 ? [{ text: `And ${left} more.` }] : []),
    ],
    footer: [{ text: `You get this email because the setting OPERATOR_EMAIL of ${host} has your address.` }],
  };
}

function messageOf({ data: { message } }: MailEvent, maxLength: number): string {
  return typeof message === 'string' ? inert(message, maxLength) : 'An alert without a message.';
}

function aboutOf({ data: { subject } }: MailEvent): string {
  return typeof subject === 'string' ? `, about ${inert(subject)}` : '';
}

function timeOf({ occurred_at: at }: MailEvent): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

import type { MailAccount } from './types.ts';
import { type MailEvent, mailWordsOf } from './event-words.ts';
import { inert, type Letter } from './letter.ts';

/** An email lists at most this many alerts. */
const MAX_LISTED = 50;
const MAX_MESSAGE = 500;
const MAX_SUBJECT = 100;

/** Asks the owner of an address whether it wants emails. It has no text of the account, so nobody can write to strangers. */
export function verificationLetter({ url, site }: { url: string; site: string }): Letter {
  return {
    subject: 'Confirm your address',
    paragraphs: [
      {
        text: `Somebody entered this address to get emails about an account at ${site}.\nIf it was you, open the link within 24 hours and press the button there.`,
        link: { label: 'Confirm this address', url },
      },
    ],
    footer: [{ text: 'If it was not you, ignore this email: no more will follow.' }],
  };
}

/** Tells the owner of an address that it gets no more emails of events. */
export function farewellLetter({ kind, site }: { kind: MailAccount['kind']; site: string }): Letter {
  return {
    subject: 'No more emails to this address',
    paragraphs: [
      {
        text: `This address was removed from ${kind === 'agent' ? 'an agent' : 'a poster'} at ${site}, and gets no more emails about it.\nIf it was not you, somebody else may have a key or a session of the account: sign in, and revoke every key that you do not know.`,
      },
    ],
    footer: [{ text: 'This is the last email.' }],
  };
}

type EventParts = { kind: MailAccount['kind']; event: MailEvent; publicUrl: string; unsubscribeUrl: string };

/** Reports an event to the owner of an address. */
export function eventLetter({ kind, event, publicUrl, unsubscribeUrl }: EventParts): Letter {
  const { subject, text, path } = mailWordsOf(kind, event);
  return {
    subject,
    paragraphs: [{ text, link: { label: 'Open the page', url: `${publicUrl}${path}` } }],
    footer: [
      {
        text: `You get this email because this address was confirmed for ${kind === 'agent' ? 'an agent' : 'a poster'} at ${new URL(publicUrl).host}.`,
        link: { label: 'Unsubscribe', url: unsubscribeUrl },
      },
    ],
  };
}

/** Reports alerts to an operator, oldest first. Messages may quote strangers, so they are inert. */
export function alertsLetter({ events, publicUrl }: { events: MailEvent[]; publicUrl: string }): Letter {
  const { host } = new URL(publicUrl);
  const [first] = events;
  const left = events.length - MAX_LISTED;
  const message = ({ data }: MailEvent, maxLength: number) => inert(textOf(data['message']), maxLength);
  return {
    subject: `${host}: ${events.length === 1 && first ? message(first, MAX_SUBJECT) : `${events.length} alerts`}`,
    paragraphs: [
      ...events.slice(0, MAX_LISTED).map((event) => ({
        text: `${inert(textOf(event.data['alert']))} at ${event.occurred_at.slice(0, 16).replace('T', ' ')} UTC, about ${inert(textOf(event.data['subject']))}\n${message(event, MAX_MESSAGE)}`,
      })),
      { text: left > 0 ? `And ${left} more.` : '', link: { label: 'Open the desk', url: `${publicUrl}/operator` } },
    ],
    footer: [{ text: `You get this email because the setting OPERATOR_EMAIL of ${host} has your address.` }],
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'nothing named';
}

import type { MailAccount } from '../../ports/mail.ts';
import { type MailEvent, wordsOf } from './event-words.ts';
import type { Letter } from './letter.ts';

/** A daily email lists at most this many events. */
const MAX_LISTED = 50;

/** Reports one event, or the events of a day. */
export function eventsLetter({
  kind,
  events,
  publicUrl,
  unsubscribeUrl,
}: {
  kind: MailAccount['kind'];
  events: MailEvent[];
  publicUrl: string;
  unsubscribeUrl: string;
}): Letter {
  const listed = events.slice(0, MAX_LISTED).map((event) => ({ event, words: wordsOf(kind, event) }));
  const [first] = listed;
  const isOne = first !== undefined && events.length === 1;
  const left = events.length - listed.length;
  return {
    subject: isOne ? first.words.subject : `${events.length} events`,
    paragraphs: [
      ...listed.map(({ event, words }) => ({
        text: isOne ? words.text : `${timeOf(event)}: ${words.text}`,
        link: { label: isOne ? 'Open the page' : words.subject, url: `${publicUrl}${words.path}` },
      })),
      ...(left > 0 ? [{ text: `And ${left} more.` }] : []),
    ],
    footer: [
      {
        text: `You get this email because this address was confirmed for ${kind === 'agent' ? 'an agent' : 'a poster'} at ${new URL(publicUrl).host}.`,
        link: { label: 'Unsubscribe', url: unsubscribeUrl },
      },
    ],
  };
}

function timeOf({ occurred_at: at }: MailEvent): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

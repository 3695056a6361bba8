import type { Mail } from './types.ts';

/** One paragraph of an email: plain text, and perhaps a link below it. */
export type Paragraph = { text: string; link?: { label: string; url: string } };

/** The contents of an email, before it has an address. */
export type Letter = { subject: string; paragraphs: Paragraph[]; footer: Paragraph[] };

const MAX_SUBJECT = 150;

/** Writes a letter as plain text. */
export function writeLetter({ subject, paragraphs, footer }: Letter): Pick<Mail, 'subject' | 'text'> {
  const plain = ({ text, link }: Paragraph) => (link ? `${text}\n${link.label}: ${link.url}` : text);
  const text = [...paragraphs.map(plain), '-- ', ...footer.map(plain)].join('\n\n');
  // A line break would end the header, so an event's text must not bring one.
  return { subject: oneLine(subject, MAX_SUBJECT), text: `${text}\n` };
}

/**
 * Makes a stranger's text harmless in an email: one line, cut to a length, and without addresses that a mail program would
 * turn into links, such as `example.com/pay` and `pay@example.com`.
 */
export function inert(text: string, maxLength = 100): string {
  const cut = text
    .replaceAll(/:\/\//g, ': //')
    .replaceAll(/(?<=[\p{L}\p{N}])[.@](?=\p{L}{2})/gu, (mark) => ` ${mark} `);
  return oneLine(cut, maxLength);
}

/** Returns a text as one line without control and direction characters, cut to a length. */
function oneLine(text: string, maxLength: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}

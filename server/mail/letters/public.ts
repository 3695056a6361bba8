// mail/letters/ offers the words of emails and the tokens of their links. The rest is private.

export { alertsLetter } from './alerts-letter.ts';
export { eventsLetter } from './events-letter.ts';
export type { MailEvent } from './event-words.ts';
export { type Letter, writeLetter } from './letter.ts';
export { createMailTokens } from './mail-tokens.ts';
export { verificationLetter } from './verification-letter.ts';

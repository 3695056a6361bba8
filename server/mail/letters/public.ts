// mail/letters/ offers the words of emails and the tokens of their links. The rest is private.

export { isMailed, type MailEvent } from './event-words.ts';
export { type Letter, writeLetter } from './letter.ts';
export { alertsLetter, eventLetter, verificationLetter } from './letters.ts';
export { createMailTokens } from './mail-tokens.ts';

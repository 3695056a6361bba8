// mail/ offers emails: their queue, the jobs that fill and empty it, the tokens of their links, and the contact addresses
// of accounts. The rest is private.

// The way to the mail server, and the tokens of links.
export { createSendMail } from './create-send-mail.ts';
export { createMailTokens } from './mail-tokens.ts';

// The contact addresses of accounts.
export { confirmAddress, unsubscribe } from './follow-link.ts';
export { offerContact } from './set-contact.ts';

// Recurring jobs.
export { queueEventMail } from './queue-events.ts';
export { removeOldMail, sendDueMail } from './send-mail.ts';

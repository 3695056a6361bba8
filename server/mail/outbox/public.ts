// mail/outbox/ offers the queue of emails and the jobs that fill and empty it. The rest is private.

export { countVerifications, insertVerification } from './queries.ts';
export { queueEventMail } from './queue-events.ts';
export { removeOldMail, sendDueMail } from './send-mail.ts';

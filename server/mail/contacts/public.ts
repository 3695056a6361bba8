// mail/contacts/ offers the contact addresses of accounts. The rest is private.

/** Follows the links of emails. */
export { confirmAddress, unsubscribe } from './follow-link.ts';

/** Sends the link to the address of a new account. */
export { offerContact } from './set-contact.ts';

/** Serves the operations on contact addresses. */

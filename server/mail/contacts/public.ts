// mail/contacts/ offers the contact addresses of accounts. The rest is private.

/** Follows the links of emails. */
export { confirmAddress, unsubscribe } from './follow-link.ts';

/** Serves the operations on contact addresses. */
export { contactRoutes } from './routes.ts';

// entries/before-paying/ offers what an agent asks before it pays: the quote of an entry, and the check of a picture. The
// rest is private.

// The operations of this folder.
export { beforePayingRoutes } from './routes.ts';
// The turns of the pictures that are checked before a payment.
export { createPreflights } from './preflights.ts';

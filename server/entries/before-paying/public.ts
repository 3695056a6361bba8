// The exports of entries/before-paying/. Other folders import nothing else from it.

// The operations of this folder.
export { beforePayingRoutes } from './routes.ts';
// The turns of the pictures that are checked before a payment.
export { createPreflights } from './preflights.ts';

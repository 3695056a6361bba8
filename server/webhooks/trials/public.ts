// webhooks/trials/ offers the deliveries to endpoints that have never succeeded. The rest is private.

/** Starts the next waiting events. */
export { startWaiting } from './start-waiting.ts';

/** The first success of an endpoint, the events that wait for it, and the endpoints of a host without one. */
export { countUnverified, lookForWaiting, markVerified, parkDeliveries } from './trial-queries.ts';

// webhooks/trials/ offers the deliveries to endpoints that have never succeeded. The rest is private.

/** Starts the next waiting events. */
export { startWaiting } from './start-waiting.ts';

/** The first success of an endpoint, and the events that wait for it. */
export { wakeTrials, markVerified, parkDeliveries } from './trial-queries.ts';

/** The bounds of requests before it, of an endpoint and of a host. */
export { deleteRequestsBefore } from './request-queries.ts';
export { countUnverified, REQUESTS_PER_HOUR, TrialRequest } from './trial-request.ts';

/** The latest time of a next trial that a clock can have written. */
export { latestTrialTime } from './start-waiting.ts';

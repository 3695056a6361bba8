// webhooks/accounts/ offers the further endpoints of agents and posters, which get events of the log. The rest is private.

/** Queues new events for the endpoints. */
export { queueEvents } from './queue-events.ts';

/** Serves the operations on endpoints. */
export { accountWebhookRoutes } from './routes.ts';

// webhooks/history/ offers the operations on deliveries and the metrics of the queue. The rest is private.

export { webhookFigures } from './metrics.ts';
export { deliveryRoutes } from './routes.ts';

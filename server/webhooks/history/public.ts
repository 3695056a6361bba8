// What webhooks/history/ offers to other folders; everything else in it is private.

export { webhookFigures } from './metrics.ts';
export { deliveryRoutes } from './routes.ts';

// webhooks/history/ offers the operations on deliveries and the metrics of the queue. The rest is private.

export {
  type AttemptRow,
  dueEarlier,
  listAttempts,
  retryColumns,
  titleOf,
  type DeliveryRow,
} from './delivery-list-queries.ts';
export { showDeliveries } from './delivery-view.ts';
export { webhookMetrics } from './metrics.ts';
export { deliveryRoutes } from './routes.ts';

// Webhooks: the public interface of webhooks/.

export { createDeliverWebhook } from './deliver-webhook.ts';
export { stateOf } from './deliveries.ts';
export { type DeliveryRow, webhookMetrics } from './delivery-queries.ts';
export { queueEvents, removeOldDeliveries } from './queue-events.ts';
export { createWebhookSecrets, resealSecrets } from './secrets.ts';
export { WebhookSender } from './sender.ts';
export { webhooksOf } from './specified-webhook.ts';

// Webhooks: the public interface of webhooks/.

export { createDeliverWebhook } from './deliver-webhook.ts';
export { stateOf } from './deliveries.ts';
export { type DeliveryRow, webhookMetrics } from './delivery-queries.ts';
export { queueEvents, removeOldDeliveries } from './queue-events.ts';
export { resealSecrets } from './reseal-secrets.ts';
export { createWebhookSecrets } from './secrets.ts';
export { WebhookSender } from './sender.ts';
export { webhooksOf } from './specified-webhook.ts';

// Webhooks: the public interface of webhooks/.

export { stateOf } from './deliveries.ts';
export { type DeliveryRow, webhookMetrics } from './delivery-queries.ts';
export { webhooksOf } from './endpoints.ts';
export { queueEvents, removeOldDeliveries } from './queue-events.ts';
export { createWebhookSecrets, resealSecrets } from './secrets.ts';
export { WebhookSender } from './sender.ts';
export { createWebhookClient } from './webhook-client.ts';

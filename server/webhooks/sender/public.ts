// What webhooks/sender/ offers to other folders; everything else in it is private.

export { createDeliverWebhook } from './deliver-webhook.ts';
export { giveUpOn } from './outcome-queries.ts';
export { keepPartitions } from './partitions.ts';
export { FIRST_ATTEMPT } from './retry-schedule.ts';
export { SECRET_BYTES, createWebhookSecrets, openSecrets, type SealedSecrets } from './secrets.ts';
export { type SenderMetrics, WebhookSender } from './sender.ts';
export { ELITE_SHARD, PRO_SHARD, SHARDS, retryPriority, shardOf } from './shards.ts';
export { signDelivery, signableEvent } from './signature.ts';

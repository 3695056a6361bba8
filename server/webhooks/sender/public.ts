// webhooks/sender/ offers the sender and the parts of it that the other rooms of webhooks/ share. The rest is private.

/** The sender, the client that it posts with, and the daily partitions of its tables. */
export { createDeliverWebhook } from './deliver-webhook.ts';
export { keepPartitions } from './partitions.ts';
export { WebhookSender } from './sender.ts';

/** Secrets and signatures, for registration and for test events. */
export { SECRET_BYTES, createWebhookSecrets, openSecrets, type SealedSecrets } from './secrets.ts';
export { signDelivery, signableEvent } from './signature.ts';

/** The queue as other rooms write it: parts of a fan-out, priorities, and the end of waiting deliveries. */
export { giveUpOn } from './outcome-queries.ts';
/** What an agent's settings let through. */
export { offeredBy } from './sender-queries.ts';
export { FIRST_ATTEMPT } from './retry-schedule.ts';
export { ELITE_SHARD, PRO_SHARD, SHARDS, retryPriority, shardOf } from './shards.ts';

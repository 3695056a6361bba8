// webhooks/sender/ offers the sender and the parts of it that the other rooms of webhooks/ share. The rest is private.

/** The sender, and the daily partitions of its tables. */
export { keepPartitions } from './partitions.ts';
export { WebhookSender } from './sender.ts';

/** The queue as other rooms write it: parts of a fan-out, priorities, and the end of waiting deliveries. */
export { giveUpOn } from './outcome-queries.ts';
export { disabledEvent } from './endpoint-health.ts';
/** The events that an agent's settings let through. */
export { offeredBy } from './sender-queries.ts';
export { ELITE_SHARD, PRO_SHARD, SHARDS, retryPriority, shardOf } from './shards.ts';

// webhooks/sender/ offers the sender and the parts of it that the other folders of webhooks/ share. The rest is private.

/** The sender, and the daily partitions of its tables. */
export { keepPartitions } from './partitions.ts';
export { WebhookSender } from './sender.ts';

/** The queue as other folders write it: shards of a fan-out, priorities, and the end of waiting deliveries. */
export { type DisabledWebhook, giveUpOn } from './outcome-queries.ts';
export { tellDisabled } from './tell-disabled.ts';
export { eventFor, loggedEvent } from './event-body.ts';
/** The events that an agent's settings let through, and the stored ones. */
export { offeredBy, readEvent } from './sender-queries.ts';
export { ELITE_SHARD, PRO_SHARD, SHARDS, retryPriority, shardOf } from './shards.ts';

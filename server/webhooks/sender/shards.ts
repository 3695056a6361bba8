import type { Tier } from '../../ports/callers.ts';

/** How many shards each fan-out has. Each shard has a cursor of its own. */
export const SHARDS = 10;
export const ELITE_SHARD = 0;
export const PRO_SHARD = 1;
const FIRST_STARTER_SHARD = 2;

/** Shards of elite and pro agents are sent before those of starters. */
export type ShardGroup = 'priority' | 'starters';

export function groupOf(shard: number): ShardGroup {
  return shard <= PRO_SHARD ? 'priority' : 'starters';
}

/** Returns the shard of a webhook. The many starters are split by the random end of the id, so that processes share them. */
export function shardOf(tier: Tier, webhookId: string): number {
  if (tier === 'elite') return ELITE_SHARD;
  if (tier === 'pro') return PRO_SHARD;
  return FIRST_STARTER_SHARD + (Number.parseInt(webhookId.slice(-2), 16) % (SHARDS - FIRST_STARTER_SHARD));
}

/**
 * Returns the priority of a retry, lower first: elite, pro, and all starters alike. An endpoint without a shard, which an
 * account registered for its own events, has the priority of elite agents.
 */
export function retryPriority(shard: number | null): number {
  return Math.min(shard ?? ELITE_SHARD, FIRST_STARTER_SHARD);
}

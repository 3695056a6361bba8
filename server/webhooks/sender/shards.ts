import type { Tier } from '../../ports/callers.ts';

/** How many parts each fan-out has. Each part has a cursor of its own. */
export const SHARDS = 10;
export const ELITE_SHARD = 0;
export const PRO_SHARD = 1;
const FIRST_STARTER_SHARD = 2;

/** Parts of elite and pro agents are sent before those of starters. */
export type PartGroup = 'priority' | 'starters';

export function groupOf(shard: number): PartGroup {
  return shard <= PRO_SHARD ? 'priority' : 'starters';
}

/** Returns the part of a webhook. The many starters are split by the random end of the id, so that processes share them. */
export function shardOf(tier: Tier, webhookId: string): number {
  if (tier === 'elite') return ELITE_SHARD;
  if (tier === 'pro') return PRO_SHARD;
  return FIRST_STARTER_SHARD + (Number.parseInt(webhookId.slice(-2), 16) % (SHARDS - FIRST_STARTER_SHARD));
}

/** Returns the priority of a retry, lower first: elite, pro, and all starters alike. Null: the endpoint is in no part. */
export function retryPriority(shard: number | null): number {
  return Math.min(shard ?? ELITE_SHARD, FIRST_STARTER_SHARD);
}

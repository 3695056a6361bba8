import type { Tier } from '../../ports/callers.ts';

/** Parts of a fan-out: each event has a cursor along every one of them. Lower ones are sent first. */
export const SHARDS = 10;
export const ELITE_SHARD = 0;
export const PRO_SHARD = 1;
const FIRST_STARTER_SHARD = 2;

/** Starters are many: their part is cut in eight, by the random end of the id, so that several workers share it. */
export function shardOf(tier: Tier, webhookId: string): number {
  if (tier === 'elite') return ELITE_SHARD;
  if (tier === 'pro') return PRO_SHARD;
  return FIRST_STARTER_SHARD + (Number.parseInt(webhookId.slice(-2), 16) % (SHARDS - FIRST_STARTER_SHARD));
}

/** Of a retry, lower first: as its agent's part of a fan-out, and all starters alike. */
export function retryPriority(shard: number): number {
  return Math.min(shard, FIRST_STARTER_SHARD);
}

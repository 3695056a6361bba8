import type { Tier } from '../../callers.ts';

/** How many intents an agent can create in one UTC day. */
export const DAILY_QUOTA: Record<Tier, number> = { starter: 5, pro: 25, elite: 100 };

import type { Tier } from '../../ports/callers.ts';

/** Intents that an agent may create in one UTC day. */
export const DAILY_QUOTA: Record<Tier, number> = { starter: 5, pro: 25, elite: 100 };

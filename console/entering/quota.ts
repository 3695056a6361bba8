/** The entries a day of each tier, as server/agents/accounts/settings.ts sets them. A test compares both. */
export const QUOTA = { starter: 5, pro: 25, elite: 100 };

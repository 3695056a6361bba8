import type { AgentSettings } from '../../contract/agents.ts';
import { MAX_AMOUNT_MICRO, usdcNumber } from '../../contract/money.ts';

/** What an agent has until it says otherwise: nothing is done on its own, and nothing is filtered out. */
export const defaultSettings: AgentSettings = {
  autoParticipate: false,
  // A starter's daily quota; more would need a higher tier.
  maxConcurrentProjects: 5,
  minBudget: 0,
  maxBudget: usdcNumber(MAX_AMOUNT_MICRO),
  preferredCategories: [],
  workingHours: { timezone: 'UTC', start: '00:00', end: '23:59', weekends: true },
};

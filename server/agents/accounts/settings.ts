import type { AgentSettings, SettingsChange } from '../../../contract/agent-settings.ts';
import { DomainError, type ErrorDetail } from '../../../contract/errors.ts';
import { MAX_AMOUNT_MICRO, usdcNumber } from '../../../contract/money.ts';
import { DAILY_QUOTA } from './tiers.ts';
import type { Tier } from '../../ports/callers.ts';

/** What an agent has until it says otherwise: nothing is done on its own, and nothing is filtered out. */
export const defaultSettings: AgentSettings = {
  autoParticipate: false,
  // A starter's daily quota; more would need a higher tier.
  maxConcurrentProjects: DAILY_QUOTA.starter,
  minBudget: 0,
  maxBudget: usdcNumber(MAX_AMOUNT_MICRO),
  preferredCategories: [],
  workingHours: { timezone: 'UTC', start: '00:00', end: '23:59', weekends: true },
  filterWebhooks: false,
};

/** As they are stored, and the default for each that came into the world after the agent. */
export function settingsOf(stored: Partial<AgentSettings>): AgentSettings {
  return mergedSettings(defaultSettings, stored);
}

/** What the change leaves out stays as it is, of the working hours too. */
function mergedSettings(
  settings: AgentSettings,
  change: Omit<Partial<AgentSettings>, 'workingHours'> & { workingHours?: Partial<AgentSettings['workingHours']> },
): AgentSettings {
  return { ...settings, ...change, workingHours: { ...settings.workingHours, ...change.workingHours } };
}

/**
 * The settings with the change laid over them.
 *
 * @throws DomainError INVALID_SETTINGS when the two budgets do not go together, TIER_RESTRICTED for more projects at the
 * same time than the tier may enter in a day
 */
export function changedSettings(settings: AgentSettings, change: SettingsChange, tier: Tier): AgentSettings {
  const changed = mergedSettings(settings, present(change));
  const { minBudget, maxBudget, maxConcurrentProjects } = changed;
  if (minBudget > maxBudget) {
    const field = change.minBudget === undefined ? 'settings.maxBudget' : 'settings.minBudget';
    throw invalidSettings([{ field, message: `minBudget (${minBudget}) is greater than maxBudget (${maxBudget})` }]);
  }
  const quota = DAILY_QUOTA[tier];
  if (change.maxConcurrentProjects !== undefined && maxConcurrentProjects > quota) {
    const message = `at most ${quota} in the ${tier} tier, its projects a day`;
    throw new DomainError('TIER_RESTRICTED', `settings.maxConcurrentProjects: ${message}.`, {
      details: [{ field: 'settings.maxConcurrentProjects', message }],
    });
  }
  return changed;
}

type Present = Parameters<typeof mergedSettings>[1];

/** Without members that are undefined, which would hide what they are laid over. */
function present({ workingHours, ...change }: SettingsChange): Present {
  const given = (object: object) =>
    Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
  return { ...given(change), ...(workingHours ? { workingHours: given(workingHours) } : {}) };
}

export function invalidSettings(details: ErrorDetail[]): DomainError {
  const listed = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new DomainError('INVALID_SETTINGS', `Invalid settings: ${listed}`, { details });
}

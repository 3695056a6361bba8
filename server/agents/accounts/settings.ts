import type { AgentSettings, SettingsChange } from '../../../contract/agents/agent-settings.ts';
import { DomainError, type ErrorDetail } from '../../../contract/basics/errors.ts';
import { MAX_AMOUNT_MICRO, usdcNumber } from '../../../contract/basics/money.ts';
import type { Tier } from '../../callers.ts';

/** The settings as the agent's row holds them. `maxConcurrentProjects` is absent while the agent has not set it. */
export type StoredSettings = Partial<AgentSettings>;

/** The settings of a new agent: no automatic participation and no filters. */
export const defaultSettings: Omit<AgentSettings, 'maxConcurrentProjects'> = {
  autoParticipate: false,
  minBudget: 0,
  maxBudget: usdcNumber(MAX_AMOUNT_MICRO),
  preferredCategories: [],
  workingHours: { timezone: 'UTC', start: '00:00', end: '23:59', weekends: true },
  filterWebhooks: false,
};

/**
 * Returns the settings that hold: defaults for those that the agent did not store. Unset, `maxConcurrentProjects` is the
 * daily quota of the tier and rises with it.
 */
export function settingsOf(stored: StoredSettings, tier: Tier): AgentSettings {
  return mergedSettings({ ...defaultSettings, maxConcurrentProjects: DAILY_QUOTA[tier] }, stored);
}

/** Merges a change into the settings. Omitted members keep their value, also inside the working hours. */
function mergedSettings(
  settings: AgentSettings,
  change: Omit<Partial<AgentSettings>, 'workingHours'> & { workingHours?: Partial<AgentSettings['workingHours']> },
): AgentSettings {
  return { ...settings, ...change, workingHours: { ...settings.workingHours, ...change.workingHours } };
}

/**
 * Returns the settings to store: those that hold, with the change applied.
 *
 * @throws DomainError INVALID_SETTINGS if minBudget exceeds maxBudget; TIER_RESTRICTED if maxConcurrentProjects exceeds
 * the tier's daily quota
 */
export function changedSettings(stored: StoredSettings, change: SettingsChange, tier: Tier): StoredSettings {
  const { maxConcurrentProjects = stored.maxConcurrentProjects, ...others } = change;
  const { maxConcurrentProjects: _, ...changed } = mergedSettings(settingsOf(stored, tier), definedMembers(others));
  const { minBudget, maxBudget } = changed;
  if (minBudget > maxBudget) {
    const field = change.minBudget === undefined ? 'settings.maxBudget' : 'settings.minBudget';
    throw invalidSettings([{ field, message: `minBudget (${minBudget}) is greater than maxBudget (${maxBudget})` }]);
  }
  const quota = DAILY_QUOTA[tier];
  if (typeof change.maxConcurrentProjects === 'number' && change.maxConcurrentProjects > quota) {
    const message = `at most ${quota}, the daily quota of the ${tier} tier`;
    throw new DomainError('TIER_RESTRICTED', `settings.maxConcurrentProjects: ${message}.`, {
      details: [{ field: 'settings.maxConcurrentProjects', message }],
    });
  }
  return typeof maxConcurrentProjects === 'number' ? { ...changed, maxConcurrentProjects } : changed;
}

type SettingsPatch = Parameters<typeof mergedSettings>[1];

/** Drops undefined members. They would overwrite the stored settings in the merge. */
function definedMembers({ workingHours, ...change }: Omit<SettingsChange, 'maxConcurrentProjects'>): SettingsPatch {
  const given = (object: object) =>
    Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
  return { ...given(change), ...(workingHours ? { workingHours: given(workingHours) } : {}) };
}

export function invalidSettings(details: ErrorDetail[]): DomainError {
  const listed = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new DomainError('INVALID_SETTINGS', `Invalid settings: ${listed}`, { details });
}

/** How many intents an agent can create in one UTC day. */
export const DAILY_QUOTA: Record<Tier, number> = { starter: 5, pro: 25, elite: 100 };

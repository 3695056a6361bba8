import { settingsChange } from '../../../contract/agents/agent-settings.ts';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { ApiError } from '../../api/public.ts';
import { capitalize, decimalText, numberText } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import type { Profile } from '../area/agent-store.ts';

/** The form's values. Numbers are text until they are sent. */
export type Draft = {
  name: string;
  /** Null: the picture stays as it is. */
  avatarSeed: string | null;
  description: string;
  specializations: string[];
  autoParticipate: boolean;
  maxConcurrentProjects: string;
  minBudget: string;
  maxBudget: string;
  preferredCategories: string[];
  timezone: string;
  start: string;
  end: string;
  weekends: boolean;
  filterWebhooks: boolean;
};

/** Error messages by the field's path in the request, for example `settings.minBudget`. */
export type Problems = Record<string, string>;

export function draftOf({ agent: { name, description, specializations, settings } }: Profile): Draft {
  const { workingHours, maxConcurrentProjects, minBudget, maxBudget, ...rest } = settings;
  return {
    ...rest,
    ...workingHours,
    name,
    avatarSeed: null,
    description,
    specializations,
    maxConcurrentProjects: String(maxConcurrentProjects),
    minBudget: numberText(minBudget),
    maxBudget: numberText(maxBudget),
  };
}

function bodyOf(draft: Draft) {
  const { name, avatarSeed, description, specializations, timezone, start, end, weekends, ...rest } = draft;
  const number = (typed: string) => (typed.trim() === '' ? Number.NaN : Number(decimalText(typed)));
  return {
    agent_name: name.trim(),
    ...(avatarSeed === null ? {} : { avatar_seed: avatarSeed }),
    description,
    specializations,
    settings: {
      ...rest,
      // Null unsets it, so that it rises with the tier.
      maxConcurrentProjects: draft.maxConcurrentProjects.trim() === '' ? null : number(draft.maxConcurrentProjects),
      minBudget: number(draft.minBudget),
      maxBudget: number(draft.maxBudget),
      workingHours: { timezone, start, end, weekends },
    },
  };
}

/** Validates the form by the contract's schemas. */
export function check(draft: Draft): { body: ReturnType<typeof bodyOf>; problems: Problems } {
  const body = bodyOf(draft);
  const { agent_name: name, description, specializations } = agentOperations.updateMe.body.shape;
  const problems: Problems = {};
  const note = (prefix: string, issues: readonly { path: PropertyKey[]; message: string }[] = []) => {
    for (const { path, message } of issues)
      problems[[prefix, ...path.map(String)].filter(Boolean).join('.')] ??= capitalize(message);
  };
  note('agent_name', name.safeParse(body.agent_name).error?.issues);
  note('description', description.safeParse(body.description).error?.issues);
  note('specializations', specializations.safeParse(body.specializations).error?.issues);
  note('settings', settingsChange.safeParse(body.settings).error?.issues);
  if (Number.isNaN(body.settings.minBudget)) problems['settings.minBudget'] = agent.settings.number;
  if (Number.isNaN(body.settings.maxBudget)) problems['settings.maxBudget'] = agent.settings.number;
  return { body, problems };
}

/** Returns the service's validation errors by field. */
export function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.details.map(({ field, message }) => [field, capitalize(message)]));
}

import type { ProjectTerms } from '../../../contract/projects/terms.ts';
import type { Deps } from '../../deps.ts';
import { findLatestTerms } from './terms-queries.ts';
import { type MarketRules, readTerms } from './project-terms.ts';
import type { Queryable } from '../../ports/database.ts';

type Settings = Pick<
  Deps['config'],
  'closeNoticeMinutes' | 'confirmGraceSeconds' | 'placeHoldMinutes' | 'silenceShareCap' | 'autoPayoutHoldHours'
>;

const EXTENSION_SECONDS = 24 * 3_600;

/** Returns the rules of a project that opens now. Settings may have fractions; terms have whole seconds. */
export function currentRules(
  settings: Settings,
  { entryFeeMicro, aiJudge }: { entryFeeMicro: number; aiJudge: boolean },
): MarketRules {
  return {
    closeNoticeSeconds: Math.ceil(settings.closeNoticeMinutes * 60),
    confirmGraceSeconds: Math.ceil(settings.confirmGraceSeconds),
    placeHoldSeconds: Math.ceil(settings.placeHoldMinutes * 60),
    extensionSeconds: EXTENSION_SECONDS,
    shareCapMicro: Math.floor(entryFeeMicro * settings.silenceShareCap),
    holdSeconds: Math.ceil(settings.autoPayoutHoldHours * 3_600),
    aiJudge,
  };
}

/**
 * Returns the rules that a project's terms name, whatever the settings are now. A project that opened without terms
 * follows the settings. Call it under the project's lock, in a statement after the one that took it.
 */
export async function agreedRules(
  db: Queryable,
  settings: Settings,
  project: { id: string; entryFeeMicro: number },
): Promise<MarketRules> {
  const latest = await findLatestTerms(db, project.id);
  // Without terms, the AI judge works wherever a model is configured.
  return latest ? rulesOf(readTerms(latest.canonical)) : currentRules(settings, { ...project, aiJudge: true });
}

/** Returns whether terms let the AI judge score entries. */
export function allowsAiJudge(terms: ProjectTerms): boolean {
  return terms.selection.includes('ai');
}

function rulesOf(terms: ProjectTerms): MarketRules {
  return {
    closeNoticeSeconds: terms.close_notice_seconds,
    confirmGraceSeconds: terms.confirm_grace_seconds,
    placeHoldSeconds: terms.place_hold_seconds,
    extensionSeconds: terms.extension_seconds,
    shareCapMicro: terms.silence.share_cap_micro,
    holdSeconds: terms.hold.seconds,
    aiJudge: allowsAiJudge(terms),
  };
}

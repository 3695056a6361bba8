import type { ProjectTerms } from '../../../contract/projects/terms.ts';
import type { Deps } from '../../deps.ts';
import { findLatestTerms } from './terms-queries.ts';
import { type MarketRules, readTerms } from './project-terms.ts';
import type { Queryable } from '../../db/database.ts';

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
 * Returns the rules that the terms of an open project name, whatever the settings are now. Call it under the project's lock,
 * in a statement after the one that took it.
 */
export async function agreedRules(db: Queryable, projectId: string): Promise<MarketRules> {
  return rulesOf(readTerms((await findLatestTerms(db, projectId)).canonical));
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

import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { getAddress } from 'viem';
import { type BriefTexts, type ProjectBrief, textsOf } from '../../../contract/projects/brief.ts';
import { type ProjectTerms, TERMS_SCHEMA } from '../../../contract/projects/terms.ts';
import { currentLicence } from './licences.ts';

/** The parts of a brief that `brief_sha256` covers. Other fields of a brief are in the terms themselves. */
export type HashedBrief = BriefTexts & Pick<ProjectBrief, 'project_type_id' | 'specializations' | 'tags'>;

/** The rules of the market that bind one project. */
export type MarketRules = {
  /** The notice of an early close. */
  closeNoticeSeconds: number;
  /** How long after the end of entries a paid entry can be confirmed. */
  confirmGraceSeconds: number;
  /** How long a fee holds a place without a confirmed entry. */
  placeHoldSeconds: number;
  /** How far the deadline can move after an agent has entered. */
  extensionSeconds: number;
  /** The most that one entry gets of a prize that nobody judged. */
  shareCapMicro: number;
  /** How long an automatic result waits before it is paid; 0: not at all. */
  holdSeconds: number;
  /** Whether the AI judge may score entries that the poster leaves unscored. */
  aiJudge: boolean;
};

/** Everything that the first version of the terms depends on. */
export type Opening = {
  projectId: string;
  brief: ProjectBrief;
  platformFeePpm: number;
  winnerReceivesMicro: number;
  network: string;
  /** In any letter case, like `payTo`. */
  asset: string;
  payTo: string;
  /** The hashes of the brief's reference pictures, in their order. */
  referenceSha256s: string[];
  latestDeadline: Date;
  rules: MarketRules;
};

/** One version of terms as it is stored: the RFC 8785 text, and its hash. */
export type CanonicalTerms = { version: number; canonical: string; hash: string };

/** Returns the terms with which a project opens. Every number is an integer, so that no language rounds one. */
export function openingTerms(opening: Opening): ProjectTerms {
  const { brief, rules } = opening;
  const { id, version, sha256 } = currentLicence(brief.licence);
  return {
    schema: TERMS_SCHEMA,
    project_id: opening.projectId,
    version: 1,
    brief_sha256: briefHash(brief),
    // Terms without pictures have the members that they had before briefs could have pictures.
    ...(opening.referenceSha256s.length > 0 ? { reference_sha256s: opening.referenceSha256s } : {}),
    prize_micro: brief.prize_amount,
    entry_fee_micro: brief.entry_fee,
    platform_fee_ppm: opening.platformFeePpm,
    winner_receives_micro: opening.winnerReceivesMicro,
    network: opening.network,
    asset: getAddress(opening.asset),
    pay_to: getAddress(opening.payTo),
    item_count: brief.item_count,
    max_entries: brief.max_entries,
    place_hold_seconds: rules.placeHoldSeconds,
    licence: { id, version, sha256 },
    gallery: brief.gallery,
    deadline: brief.auto_select_deadline.toISOString(),
    latest_deadline: opening.latestDeadline.toISOString(),
    extension_seconds: rules.extensionSeconds,
    closes_at: null,
    close_notice_seconds: rules.closeNoticeSeconds,
    confirm_grace_seconds: rules.confirmGraceSeconds,
    judging_hours: brief.judging_hours,
    selection: ['poster', 'scores', ...(rules.aiJudge ? ['ai'] : []), 'silence'],
    tie: ['earlier_confirmation', 'lower_submission_id'],
    silence: {
      entry_fees: 'returned_if_confirmed',
      share_cap_micro: rules.shareCapMicro,
      shares: 'equal_per_paying_wallet',
      rest: 'returned_to_poster',
      platform_fee: 'kept',
    },
    hold: { selections: ['ai', 'silence'], seconds: rules.holdSeconds },
    refunds: {
      entry_fee: [
        'cancelled_by_poster_or_operator',
        'prize_lost',
        'no_eligible_entry_if_confirmed',
        'silence_if_confirmed',
        'no_winner_if_confirmed_and_not_scored_1',
        'ended_early_before_confirmation',
        'service_failure',
        'paid_too_late',
      ],
      prize: ['cancelled', 'no_eligible_entry', 'silence_less_shares_and_platform_fee', 'no_winner_less_platform_fee'],
    },
    poster: [
      'score',
      'award',
      'no_winner',
      'change_texts_before_first_intent',
      'move_deadline',
      'raise_max_entries',
      'close_early',
      'cancel_before_first_entry',
    ],
    operator: ['disqualify', 'hold', 'award', 'share', 'cancel', 'reopen_before_payout'],
  };
}

/** Returns the RFC 8785 text of terms and its hash. */
export function canonicalTerms(terms: ProjectTerms): CanonicalTerms {
  const canonical = canonicalText(terms);
  return { version: terms.version, canonical, hash: `sha256:${sha256Of(canonical)}` };
}

export function hashedParts(brief: HashedBrief): HashedBrief {
  const { project_type_id, specializations, tags } = brief;
  return { ...textsOf(brief), project_type_id, specializations, tags };
}

export function briefHash(brief: HashedBrief): string {
  return sha256Of(canonicalText(hashedParts(brief)));
}

/** Reads stored terms. Only `canonicalTerms` writes that text. */
export function readTerms(canonical: string): ProjectTerms {
  return JSON.parse(canonical) as ProjectTerms;
}

function canonicalText(value: object): string {
  const text = canonicalize(value);
  // The package returns undefined only for values that JSON has no text for.
  if (text === undefined) throw new TypeError('the value has no canonical text');
  return text;
}

function sha256Of(text: string): string {
  return hash('sha256', text);
}

import { BRIEF_TEXTS, type BriefTexts, type ProjectBrief, textsOf } from '../../contract/projects/brief.ts';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import type { Gallery, LicenceId } from '../../contract/projects/rights.ts';
import type { Queryable } from '../db/database.ts';
import type { BriefAnalysis } from './analyze-brief.ts';

/** A project. Its poster, its agents, and the public see parts of it. */
export type ProjectRow = HeldResult &
  BriefTexts & {
    id: string;
    posterId: string;
    prizeMicro: number;
    entryFeeMicro: number;
    platformFeePpm: number;
    specializations: string[];
    itemCount: number;
    licence: LicenceId;
    gallery: Gallery;
    /** Null in drafts. */
    termsVersion: number | null;
    /** The hash of that version. */
    termsHash: string | null;
    tags: string[];
    analysis: BriefAnalysis;
    deadline: Date;
    /** No deadline may be later. Null in drafts. */
    latestDeadline: Date | null;
    /** Set when the poster closed the project early: it then takes the place of the deadline. */
    closesAt: Date | null;
    /** `closesAt`, or else the deadline. */
    entriesEndAt: Date;
    /** When the one extension after the first entry was used. */
    extendedAt: Date | null;
    /** The grace period of its terms. */
    confirmGraceSeconds: number;
    judgingHours: number;
    closedAt: Date | null;
    judgingEndsAt: Date | null;
    /** When the outcome was decided. It does not change after this time. */
    awardedAt: Date | null;
    selection: Selection | null;
    status: ProjectStatus;
    winnerSubmissionId: string | null;
    totalSubmissions: number;
    /** Null: any number of entries. */
    maxEntries: number | null;
    /** Confirmed entries, and unconfirmed ones whose place has not lapsed. */
    placesTaken: number;
    createdAt: Date;
    updatedAt: Date;
    publishedAt: Date | null;
    /** When agents below elite see it. Null in drafts. */
    visibleAt: Date | null;
    /** When the timers check it next; null if time does not move it. */
    dueAt: Date | null;
    completedAt: Date | null;
    cancelReason: string | null;
    cancelledAt: Date | null;
    cancelledBy: Canceller | null;
    /** Why the poster chose nobody. In an open project, this end waits for the end of entries. */
    noWinnerReason: string | null;
    /** The entry that wins when entries end, if the poster chose it while closing early. */
    plannedWinnerId: string | null;
    /** The payment of its prize names the network and the wallets, in lower case. Null in drafts. */
    network: string | null;
    asset: string | null;
    payTo: string | null;
    fundingWallet: string | null;
  };

/** A project that has opened. */
export type PublishedProject = ProjectRow & {
  publishedAt: Date;
  visibleAt: Date;
  network: string;
  asset: string;
  payTo: string;
  fundingWallet: string;
  termsVersion: number;
  termsHash: string;
  latestDeadline: Date;
};

/** An automatic result that is decided and not paid yet. All columns are null without one. */
export type HeldResult = {
  heldAt: Date | null;
  heldSelection: 'ai' | 'silence' | null;
  heldWinnerId: string | null;
  /** When the result is paid, unless the operator holds its payout. */
  payAfter: Date | null;
  /** Why the operator holds the payout, until they release it. */
  holdReason: string | null;
};

/** The party that canceled a project; `timer`: the service did, by its rules. */
export type Canceller = 'poster' | 'operator' | 'timer';

/** Tells how the winner was decided. */
export type Selection = 'poster' | 'scores' | 'ai' | 'silence' | 'operator' | 'shared';

const HELD_COLUMNS = `
  held_at as "heldAt", held_selection as "heldSelection", held_winner_id as "heldWinnerId",
  pay_after as "payAfter", hold_reason as "holdReason"`;

export const heldColumns = (db: Queryable) => db.unsafe(HELD_COLUMNS);

/** Columns of a statement on `projects p`. */
export const SHOWN_COLUMNS = `
  p.id, p.poster_id as "posterId", ${BRIEF_TEXTS.map((field) => `p.${field}`).join(', ')}, p.prize_micro as "prizeMicro",
  p.entry_fee_micro as "entryFeeMicro", p.platform_fee_ppm as "platformFeePpm", p.specializations,
  p.item_count as "itemCount", p.licence, p.gallery, p.terms_version as "termsVersion",
  p.terms_hash as "termsHash", p.tags, p.ai_analysis as analysis, p.auto_select_deadline as deadline,
  p.latest_deadline as "latestDeadline", p.closes_at as "closesAt", ${HELD_COLUMNS},
  p.judging_hours as "judgingHours", p.closed_at as "closedAt", p.judging_ends_at as "judgingEndsAt",
  p.awarded_at as "awardedAt", p.selection,
  p.status, p.winner_submission_id as "winnerSubmissionId", p.total_submissions as "totalSubmissions",
  p.max_entries as "maxEntries", p.places_taken as "placesTaken",
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.published_at as "publishedAt",
  p.completed_at as "completedAt", p.cancel_reason as "cancelReason", p.cancelled_at as "cancelledAt",
  p.cancelled_by as "cancelledBy", p.no_winner_reason as "noWinnerReason", p.extended_at as "extendedAt",
  coalesce(p.closes_at, p.auto_select_deadline) as "entriesEndAt",
  p.planned_winner_id as "plannedWinnerId", p.visible_at as "visibleAt", p.due_at as "dueAt",
  p.confirm_grace_seconds as "confirmGraceSeconds", p.network, p.asset, p.pay_to as "payTo",
  p.funding_wallet as "fundingWallet"`;

export const shownColumns = (db: Queryable) => db.unsafe(SHOWN_COLUMNS);

/** Returns the brief as a poster would send it. An update of a draft merges its patch into this brief. */
export function briefOf(row: ProjectRow): ProjectBrief {
  return {
    ...textsOf(row),
    prize_amount: row.prizeMicro,
    entry_fee: row.entryFeeMicro,
    specializations: row.specializations,
    project_type_id: 'image',
    item_count: row.itemCount,
    auto_select_deadline: row.deadline,
    judging_hours: row.judgingHours,
    tags: row.tags,
    max_entries: row.maxEntries,
    licence: row.licence,
    gallery: row.gallery,
  };
}

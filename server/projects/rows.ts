import type { ProjectBrief } from '../../contract/posters.ts';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import type { Queryable } from '../ports/database.ts';
import type { BriefAnalysis } from '../ports/analyst.ts';

/** The columns of a project that agents and its poster see. */
export type ProjectRow = {
  id: string;
  posterId: string;
  title: string;
  description: string;
  requirements: string;
  prizeMicro: number;
  entryFeeMicro: number;
  platformFeePpm: number;
  specializations: string[];
  itemCount: number;
  styleReferences: string[];
  colorPreferences: string[];
  sizeRequirements: string;
  tags: string[];
  analysis: BriefAnalysis;
  deadline: Date;
  status: ProjectStatus;
  winnerSubmissionId: string | null;
  totalSubmissions: number;
  createdAt: Date;
  updatedAt: Date;
  publishedAt: Date | null;
  completedAt: Date | null;
  cancelReason: string | null;
  cancelledAt: Date | null;
  cancelledBy: Canceller | null;
};

/** The columns that its poster sees as well. */
export type OwnProjectRow = ProjectRow & {
  judgingHours: number;
  closedAt: Date | null;
  judgingEndsAt: Date | null;
  /** When the outcome was decided. It does not change after this time. */
  awardedAt: Date | null;
  selection: Selection | null;
};

/** Who cancelled a project; `timer`: the service did, by its rules. */
export type Canceller = 'poster' | 'operator' | 'timer';

/** What decided who gets the prize. */
export type Selection = 'poster' | 'scores' | 'ai' | 'split';

export const shownColumns = (db: Queryable) => db`
  p.id, p.poster_id as "posterId", p.title, p.description, p.requirements, p.prize_micro as "prizeMicro",
  p.entry_fee_micro as "entryFeeMicro", p.platform_fee_ppm as "platformFeePpm", p.specializations,
  p.item_count as "itemCount", p.style_references as "styleReferences", p.color_preferences as "colorPreferences",
  p.size_requirements as "sizeRequirements", p.tags, p.ai_analysis as analysis, p.auto_select_deadline as deadline,
  p.status, p.winner_submission_id as "winnerSubmissionId", p.total_submissions as "totalSubmissions",
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.published_at as "publishedAt",
  p.completed_at as "completedAt", p.cancel_reason as "cancelReason", p.cancelled_at as "cancelledAt",
  p.cancelled_by as "cancelledBy"`;

export const ownColumns = (db: Queryable) => db`
  ${shownColumns(db)}, p.judging_hours as "judgingHours", p.closed_at as "closedAt",
  p.judging_ends_at as "judgingEndsAt", p.awarded_at as "awardedAt", p.selection`;

/** Returns the brief as a poster would send it. An update merges its patch into this brief. */
export function briefOf(row: OwnProjectRow): ProjectBrief {
  return {
    title: row.title,
    description: row.description,
    prize_amount: row.prizeMicro,
    entry_fee: row.entryFeeMicro,
    specializations: row.specializations,
    project_type_id: 'image',
    requirements: row.requirements,
    item_count: row.itemCount,
    style_references: row.styleReferences,
    color_preferences: row.colorPreferences,
    size_requirements: row.sizeRequirements,
    auto_select_deadline: row.deadline,
    judging_hours: row.judgingHours,
    tags: row.tags,
  };
}

import type { ProjectBrief } from '../../contract/posters.ts';
import type { ProjectStatus } from '../../contract/projects.ts';
import type { IsoText } from '../../contract/text.ts';
import type { Queryable } from '../context.ts';
import type { BriefAnalysis } from './analyse-brief.ts';

/** A time as PostgreSQL writes it into JSON. */
type JsonTime = string;

/** What a project shows. */
export type ProjectRow = {
  id: string;
  posterId: string;
  title: string;
  description: string;
  requirements: string;
  prizeMicro: number;
  entryFeeMicro: number;
  platformFeePpm: number;
  itemCount: number;
  sizeRequirements: string;
  status: ProjectStatus;
  winnerSubmissionId: string | null;
  totalSubmissions: number;
  specializations: string[];
  styleReferences: string[];
  colorPreferences: string[];
  tags: string[];
  analysis: BriefAnalysis;
  deadline: JsonTime;
  createdAt: JsonTime;
  updatedAt: JsonTime;
  publishedAt: JsonTime | null;
  completedAt: JsonTime | null;
};

/** What its poster sees besides. */
export type OwnProjectRow = ProjectRow & { judgingHours: number; cancelReason: string | null };

/** The table is called p wherever these are selected. */
const shownColumns: Record<keyof ProjectRow, string> = {
  id: 'p.id',
  posterId: 'p.poster_id',
  title: 'p.title',
  description: 'p.description',
  requirements: 'p.requirements',
  prizeMicro: 'p.prize_micro',
  entryFeeMicro: 'p.entry_fee_micro',
  platformFeePpm: 'p.platform_fee_ppm',
  itemCount: 'p.item_count',
  sizeRequirements: 'p.size_requirements',
  status: 'p.status',
  winnerSubmissionId: 'p.winner_submission_id',
  totalSubmissions: 'p.total_submissions',
  specializations: 'p.specializations',
  styleReferences: 'p.style_references',
  colorPreferences: 'p.color_preferences',
  tags: 'p.tags',
  analysis: 'p.ai_analysis',
  deadline: 'p.auto_select_deadline',
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
  publishedAt: 'p.published_at',
  completedAt: 'p.completed_at',
};
const ownColumns: Record<keyof OwnProjectRow, string> = {
  ...shownColumns,
  judgingHours: 'p.judging_hours',
  cancelReason: 'p.cancel_reason',
};

const jsonArray = (columns: Record<string, string>) => `json_build_array(${Object.values(columns).join(', ')})`;

/** A row as a JSON array: postgres.js reads a page of 20 with 0.12 ms of CPU that way, 0.29 ms with a column each. */
export const SHOWN_ARRAY = jsonArray(shownColumns);
const OWN_ARRAY = jsonArray(ownColumns);

/** As fragments of a statement. */
export const shownArray = (db: Queryable) => db.unsafe(SHOWN_ARRAY);
export const ownArray = (db: Queryable) => db.unsafe(OWN_ARRAY);

/** In the order of `shownColumns`. */
export type ShownArray = [
  id: ProjectRow['id'],
  posterId: ProjectRow['posterId'],
  title: ProjectRow['title'],
  description: ProjectRow['description'],
  requirements: ProjectRow['requirements'],
  prizeMicro: ProjectRow['prizeMicro'],
  entryFeeMicro: ProjectRow['entryFeeMicro'],
  platformFeePpm: ProjectRow['platformFeePpm'],
  itemCount: ProjectRow['itemCount'],
  sizeRequirements: ProjectRow['sizeRequirements'],
  status: ProjectRow['status'],
  winnerSubmissionId: ProjectRow['winnerSubmissionId'],
  totalSubmissions: ProjectRow['totalSubmissions'],
  specializations: ProjectRow['specializations'],
  styleReferences: ProjectRow['styleReferences'],
  colorPreferences: ProjectRow['colorPreferences'],
  tags: ProjectRow['tags'],
  analysis: ProjectRow['analysis'],
  deadline: ProjectRow['deadline'],
  createdAt: ProjectRow['createdAt'],
  updatedAt: ProjectRow['updatedAt'],
  publishedAt: ProjectRow['publishedAt'],
  completedAt: ProjectRow['completedAt'],
];
export type OwnArray = [...ShownArray, judgingHours: number, cancelReason: string | null];

/** Written out: a loop over the names takes four times as long, twenty times a page. */
export function readShown(values: ShownArray): ProjectRow {
  const [
    id,
    posterId,
    title,
    description,
    requirements,
    prizeMicro,
    entryFeeMicro,
    platformFeePpm,
    itemCount,
    sizeRequirements,
    status,
    winnerSubmissionId,
    totalSubmissions,
    specializations,
    styleReferences,
    colorPreferences,
    tags,
    analysis,
    deadline,
    createdAt,
    updatedAt,
    publishedAt,
    completedAt,
  ] = values;
  return {
    id,
    posterId,
    title,
    description,
    requirements,
    prizeMicro,
    entryFeeMicro,
    platformFeePpm,
    itemCount,
    sizeRequirements,
    status,
    winnerSubmissionId,
    totalSubmissions,
    specializations,
    styleReferences,
    colorPreferences,
    tags,
    analysis,
    deadline,
    createdAt,
    updatedAt,
    publishedAt,
    completedAt,
  };
}

export function readOwn(values: OwnArray): OwnProjectRow {
  const [judgingHours, cancelReason] = values.slice(shownCount) as [number, string | null];
  return { ...readShown(values as unknown as ShownArray), judgingHours, cancelReason };
}

const shownCount = Object.keys(shownColumns).length;

/** A time as the API writes it, without a Date in between. */
export function shownTime(time: JsonTime): IsoText {
  // PostgreSQL leaves out trailing zeros: 12:00:00+00:00, 12:00:00.5+00:00. Another zone is a setting of the server.
  if (!time.endsWith('+00:00')) return new Date(time).toISOString() as IsoText;
  return `${time.length === 25 ? `${time.slice(0, 19)}.000` : time.slice(0, -6).padEnd(23, '0')}Z` as IsoText;
}

/** The brief as a poster would send it; a patch is laid over it. */
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
    auto_select_deadline: new Date(row.deadline),
    judging_hours: row.judgingHours,
    tags: row.tags,
  };
}

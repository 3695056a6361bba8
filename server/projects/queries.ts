import { type ProjectBrief, textsOf } from '../../contract/projects/brief.ts';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import { type ProjectRow, type PublishedProject, shownColumns } from './rows.ts';
import { mayBecome } from './state.ts';
import { referencesColumn, type ShownReference } from './references/reference-queries.ts';
import { currentTermsColumn } from './terms/terms-queries.ts';
import type { Fragment, Queryable, Tx } from '../db/database.ts';
import type { BriefAnalysis } from './analyze-brief.ts';

export type ProjectKey = { projectId: string; posterId?: string };
type Own = Required<ProjectKey>;

function briefColumns(tx: Tx, brief: ProjectBrief, analysis: BriefAnalysis) {
  return {
    ...textsOf(brief),
    project_type_id: brief.project_type_id,
    prize_micro: brief.prize_amount,
    entry_fee_micro: brief.entry_fee,
    specializations: brief.specializations,
    item_count: brief.item_count,
    tags: brief.tags,
    ai_analysis: tx.json(analysis),
    auto_select_deadline: brief.auto_select_deadline,
    judging_hours: brief.judging_hours,
    max_entries: brief.max_entries,
    licence: brief.licence,
    gallery: brief.gallery,
  };
}

export type NewDraft = Own & { platformFeePpm: number; brief: ProjectBrief; analysis: BriefAnalysis; now: Date };

export async function insertDraft(tx: Tx, draft: NewDraft): Promise<ProjectRow> {
  const columns = {
    ...briefColumns(tx, draft.brief, draft.analysis),
    id: draft.projectId,
    poster_id: draft.posterId,
    platform_fee_ppm: draft.platformFeePpm,
    status: 'draft',
    created_at: draft.now,
    updated_at: draft.now,
  };
  const [row] = await tx<[ProjectRow]>`
    with p as (insert into projects ${tx(columns)} returning *) select ${shownColumns(tx)} from p`;
  return row;
}

/**
 * Counts the drafts of a poster, with those canceled after a time. Other new drafts of the poster wait until the
 * transaction ends. Index projects_poster.
 */
export async function countDrafts(tx: Tx, posterId: string, since: Date): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`drafts:${posterId}`}, 0))`;
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from projects
    where poster_id = ${posterId} and published_at is null and (status = 'draft' or cancelled_at > ${since})`;
  return row.count;
}

/** Locks the row until the transaction ends. With `for share`, others can hold the same lock. */
export type Lock = '' | 'for update' | 'for no key update' | 'for share';

/** Returns a project; null for an unknown one, and with `posterId` also for another poster's. */
export async function findProject(
  db: Queryable,
  { projectId, posterId }: ProjectKey,
  lock: Lock = '',
): Promise<ProjectRow | null> {
  const [row] = await db<ProjectRow[]>`
    select ${shownColumns(db)} from projects p
    where p.id = ${projectId} ${posterId === undefined ? db`` : db`and p.poster_id = ${posterId}`} ${db.unsafe(lock)}`;
  return row ?? null;
}

/**
 * Returns a project that has opened; null for drafts and canceled drafts. `projectId` can be a part of SQL, so that the same
 * statement looks the id up.
 */
export async function findPublished(
  db: Queryable,
  projectId: string | Fragment,
  lock: Lock = '',
): Promise<PublishedProject | null> {
  const [row] = await db<PublishedProject[]>`
    select ${shownColumns(db)} from projects p where p.id = ${projectId} and p.published_at is not null ${db.unsafe(lock)}`;
  return row ?? null;
}

/** The part of a project that decides about an entry. */
export type EnteredProject = Pick<
  PublishedProject,
  | 'id'
  | 'posterId'
  | 'status'
  | 'visibleAt'
  | 'closesAt'
  | 'entriesEndAt'
  | 'maxEntries'
  | 'placesTaken'
  | 'fundingWallet'
  | 'termsHash'
>;

/** Locks a project that has opened. `findPublished` reads five times as many columns, and every entry takes this lock. */
export async function lockForEntry(tx: Tx, projectId: string, lock: Lock): Promise<EnteredProject | null> {
  const [row] = await tx<EnteredProject[]>`
    select id, poster_id as "posterId", status, visible_at as "visibleAt", closes_at as "closesAt",
      coalesce(closes_at, auto_select_deadline) as "entriesEndAt", max_entries as "maxEntries",
      places_taken as "placesTaken", funding_wallet as "fundingWallet", terms_hash as "termsHash"
    from projects where id = ${projectId} and published_at is not null ${tx.unsafe(lock)}`;
  return row ?? null;
}

type BriefChange = { brief: ProjectBrief; analysis: BriefAnalysis; now: Date };

/** Writes the brief of a project. `updated_at` always grows, so two changes in one millisecond have different times. */
export async function updateDraft(
  tx: Tx,
  projectId: string,
  { brief, analysis, now }: BriefChange,
): Promise<ProjectRow> {
  const [row] = await tx<[ProjectRow]>`
    update projects p set ${tx.set(briefColumns(tx, brief, analysis))},
      updated_at = greatest(${now}, p.updated_at + interval '1 millisecond')
    where p.id = ${projectId} returning ${shownColumns(tx)}`;
  return row;
}

type Columns = Record<string, string | number | Date | boolean | null>;

/** Changes columns of a project, and returns it. The caller holds its lock. */
export async function setProject(tx: Tx, projectId: string, set: Columns): Promise<ProjectRow> {
  const [row] = await tx<[ProjectRow]>`
    update projects p set ${tx.set(set)} where p.id = ${projectId} returning ${shownColumns(tx)}`;
  return row;
}

export async function deleteDraft(tx: Tx, projectId: string): Promise<void> {
  await tx`delete from projects where id = ${projectId} and status = 'draft'`;
}

export type Transition = {
  projectId: string;
  from: ProjectStatus;
  to: ProjectStatus;
  actor: string;
  reason: string | null;
  at: Date;
  /** Other columns that change with the status. */
  set?: Columns;
};

/**
 * Changes the status of a project; no other function does. Updates the row if it still has the old status, and adds
 * a row to project_transitions. The caller holds the row's lock.
 */
export async function transition(
  tx: Tx,
  { projectId, from, to, actor, reason, at, set = {} }: Transition,
): Promise<void> {
  if (!mayBecome(from, to)) throw new RangeError(`a project can't become ${to} when it is ${from}`);
  // The statements are sent together, in one round trip.
  const [{ count }] = await Promise.all([
    tx`update projects set ${tx.set({ ...set, status: to, updated_at: at })} where id = ${projectId} and status = ${from}`,
    tx`
      insert into project_transitions (project_id, from_status, to_status, actor, reason, at)
      values (${projectId}, ${from}, ${to}, ${actor}, ${reason}, ${at})`,
  ]);
  if (count !== 1) throw new Error(`project ${projectId} is not ${from} any more`);
}

/** A project with its current terms as their canonical text. `referencePictures` is null without pictures. */
export type ShownProject = PublishedProject & { currentTerms: string; referencePictures: ShownReference[] | null };

/** Returns a project that has opened, with its terms and reference pictures. */
export async function findShown(db: Queryable, projectId: string): Promise<ShownProject | null> {
  const [row] = await db<ShownProject[]>`
    select ${shownColumns(db)}, ${currentTermsColumn(db)}, ${referencesColumn(db)}
    from projects p where p.id = ${projectId} and p.published_at is not null`;
  return row ?? null;
}

/** Counts one more confirmed entry. `takesPlace`: it holds no place yet. */
export async function countSubmission(
  tx: Tx,
  projectId: string,
  { takesPlace, now }: { takesPlace: boolean; now: Date },
): Promise<void> {
  await tx`
    update projects set total_submissions = total_submissions + 1,
      places_taken = places_taken + ${takesPlace ? 1 : 0}::integer, updated_at = ${now}
    where id = ${projectId}`;
}

/**
 * `by` is 1 or -1. The caller holds the project's lock. Never below 0: during an update, a process of an older version
 * claims without counting.
 */
export async function changePlacesTaken(tx: Tx, projectId: string, by: 1 | -1): Promise<void> {
  await tx`update projects set places_taken = greatest(0, places_taken + ${by}::integer) where id = ${projectId}`;
}

/** Returns a condition for a statement: the project takes entries. Reads by primary key. */
export const takesEntries = (db: Queryable, projectId: Fragment, now: Date) => db`
  exists (
    select 1 from projects where id = ${projectId} and status = 'open' and auto_select_deadline > ${now}
      and closes_at is null)`;

/** Returns a condition for a statement: an entry of the project costs this much. Reads by primary key. */
export const costs = (db: Queryable, projectId: Fragment, feeMicro: number) => db`
  exists (select 1 from projects where id = ${projectId} and entry_fee_micro = ${feeMicro})`;

/**
 * Returns an expression for a statement: when a place ends that is taken now. A fee that settles after entries have ended keeps
 * its place until nothing can be confirmed any more. Reads by primary key.
 */
export const placeEnd = (db: Queryable, projectId: Fragment, now: Date) => db`
  (select case when ends_at > ${now}::timestamptz
      then ${now}::timestamptz + least(make_interval(secs => place_hold_seconds), (ends_at - ${now}::timestamptz) / 2)
      else ends_at + make_interval(secs => confirm_grace_seconds + 1) end
    from projects, lateral (select coalesce(closes_at, auto_select_deadline) as ends_at) ended where id = ${projectId})`;

const isUndecided = (db: Queryable) => db`status in ('open', 'judging') and awarded_at is null`;

/** Returns the projects whose prize is in escrow and not awarded. */
export async function listUndecided(db: Queryable): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from projects where ${isUndecided(db)}`;
  return rows.map(({ id }) => id);
}

/**
 * Whether the prize of a project is not awarded, and whether its entry fees are not earned yet. Null: no such project.
 */
export async function findMoneyState(
  db: Queryable,
  projectId: string,
): Promise<{ undecided: boolean; holdsFees: boolean } | null> {
  const [row] = await db<{ undecided: boolean; holdsFees: boolean }[]>`
    select ${isUndecided(db)} as undecided, status in ('open', 'judging') as "holdsFees"
    from projects where id = ${projectId}`;
  return row ?? null;
}

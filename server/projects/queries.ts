import { type ProjectBrief, textsOf } from '../../contract/projects/brief.ts';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import { ownColumns, type OwnProjectRow, type ProjectRow, type Selection, shownColumns } from './rows.ts';
import { mayBecome } from './state.ts';
import { referencesColumn, type ShownReference } from './references/reference-queries.ts';
import { currentTermsColumn } from './terms/terms-queries.ts';
import type { Fragment, Queryable, Tx } from '../db/database.ts';
import type { BriefAnalysis } from './analyze-brief.ts';

type Own = { projectId: string; posterId: string };

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

export async function insertDraft(tx: Tx, draft: NewDraft): Promise<OwnProjectRow> {
  const columns = {
    ...briefColumns(tx, draft.brief, draft.analysis),
    id: draft.projectId,
    poster_id: draft.posterId,
    platform_fee_ppm: draft.platformFeePpm,
    status: 'draft',
    created_at: draft.now,
    updated_at: draft.now,
  };
  const [row] = await tx<[OwnProjectRow]>`
    with p as (insert into projects ${tx(columns)} returning *) select ${ownColumns(tx)} from p`;
  return row;
}

/** Returns a project of this poster; null for another poster's project, as for an unknown one. */
export async function findOwn(db: Queryable, { projectId, posterId }: Own): Promise<OwnProjectRow | null> {
  const [row] = await db<OwnProjectRow[]>`
    select ${ownColumns(db)} from projects p where p.id = ${projectId} and p.poster_id = ${posterId}`;
  return row ?? null;
}

/** Locks a project of this poster. Requests that change, delete, or pay for it run one after the other. */
export async function lockOwn(tx: Tx, { projectId, posterId }: Own): Promise<OwnProjectRow | null> {
  const [row] = await tx<OwnProjectRow[]>`
    select ${ownColumns(tx)} from projects p where p.id = ${projectId} and p.poster_id = ${posterId} for update`;
  return row ?? null;
}

type BriefChange = { brief: ProjectBrief; analysis: BriefAnalysis; now: Date };

/** Writes the brief of a project. `updated_at` always grows, so two changes in one millisecond have different times. */
export async function updateDraft(
  tx: Tx,
  projectId: string,
  { brief, analysis, now }: BriefChange,
): Promise<OwnProjectRow> {
  const [row] = await tx<[OwnProjectRow]>`
    update projects p set ${tx.set(briefColumns(tx, brief, analysis))},
      updated_at = greatest(${now}, p.updated_at + interval '1 millisecond')
    where p.id = ${projectId} returning ${ownColumns(tx)}`;
  return row;
}

/** Null: any number of entries. */
export async function updateMaxEntries(
  tx: Tx,
  projectId: string,
  { maxEntries, now }: { maxEntries: number | null; now: Date },
): Promise<OwnProjectRow> {
  const [row] = await tx<[OwnProjectRow]>`
    update projects p set max_entries = ${maxEntries}, updated_at = ${now}
    where p.id = ${projectId} returning ${ownColumns(tx)}`;
  return row;
}

/** Moves the deadline together with `due_at`, the time at which the timers check the project next. */
export async function moveDeadline(
  tx: Tx,
  projectId: string,
  { deadline, extendedAt, now }: { deadline: Date; extendedAt: Date | null; now: Date },
): Promise<OwnProjectRow> {
  const [row] = await tx<[OwnProjectRow]>`
    update projects p set auto_select_deadline = ${deadline}, due_at = ${deadline}, extended_at = ${extendedAt},
      updated_at = ${now}
    where p.id = ${projectId} returning ${ownColumns(tx)}`;
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
  set?: Record<string, string | number | Date | boolean | null>;
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

export type PublishedRow = ProjectRow & {
  publishedAt: Date;
  visibleAt: Date;
  /** The current terms as their canonical text. */
  currentTerms: string;
  /** Null without pictures. */
  referencePictures: ShownReference[] | null;
};

/** Returns a published project with its terms and reference pictures; null for drafts and canceled drafts. */
export async function findPublished(db: Queryable, projectId: string): Promise<PublishedRow | null> {
  const [row] = await db<PublishedRow[]>`
    select ${shownColumns(db)}, p.visible_at as "visibleAt", ${currentTermsColumn(db)}, ${referencesColumn(db)}
    from projects p where p.id = ${projectId} and p.published_at is not null`;
  return row ?? null;
}

export type PublicProject = {
  id: string;
  status: ProjectStatus;
  selection: Selection | null;
  network: string;
  asset: string;
  payTo: string;
};

/** Null for drafts and for projects in early access. */
export async function findPublic(db: Queryable, projectId: string, now: Date): Promise<PublicProject | null> {
  const [row] = await db<PublicProject[]>`
    select id, status, selection, network, asset, pay_to as "payTo" from projects
    where id = ${projectId} and published_at is not null and visible_at <= ${now}`;
  return row ?? null;
}

/** The columns that an entry depends on. Only status, deadline, and counts can change after the project opened. */
export type EntryProject = {
  id: string;
  posterId: string;
  status: ProjectStatus;
  /** The end of entries: the time at which the poster closes the project early, or else the deadline. */
  autoSelectDeadline: Date;
  /** Set from the poster's request to close the project: from then on it takes no intent and no payment. */
  closesAt: Date | null;
  /** The grace period of its terms. Null: the setting counts. */
  confirmGraceSeconds: number;
  visibleAt: Date;
  entryFeeMicro: number;
  network: string;
  asset: string;
  payTo: string;
  /** The wallet that paid the prize, in lower case. */
  fundingWallet: string;
  prizeMicro: number;
  platformFeePpm: number;
  totalSubmissions: number;
  maxEntries: number | null;
  placesTaken: number;
  /** How many files an entry consists of. */
  itemCount: number;
  /** Null for a project that was opened before terms had hashes. */
  termsHash: string | null;
};

const entryColumns = (db: Queryable) => db`
  id, poster_id as "posterId", status, coalesce(closes_at, auto_select_deadline) as "autoSelectDeadline", closes_at as "closesAt",
  confirm_grace_seconds as "confirmGraceSeconds", visible_at as "visibleAt", entry_fee_micro as "entryFeeMicro", item_count as "itemCount", network, asset, pay_to as "payTo",
  funding_wallet as "fundingWallet", prize_micro as "prizeMicro", platform_fee_ppm as "platformFeePpm",
  total_submissions as "totalSubmissions", max_entries as "maxEntries", places_taken as "placesTaken", terms_hash as "termsHash"`;

export async function findEntryProject(db: Queryable, projectId: string): Promise<EntryProject | null> {
  const [row] = await db<EntryProject[]>`
    select ${entryColumns(db)} from projects where id = ${projectId} and published_at is not null`;
  return row ?? null;
}

/**
 * Locks a published project. With `share`, other agents can enter meanwhile. `no key update` lets the caller change it.
 */
export async function lockEntryProject(
  tx: Tx,
  projectId: string | Fragment,
  mode: 'share' | 'no key update',
): Promise<EntryProject | null> {
  const [row] = await tx<EntryProject[]>`
    select ${entryColumns(tx)} from projects where id = ${projectId} and published_at is not null
    ${mode === 'share' ? tx`for share` : tx`for no key update`}`;
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

/** Locks a project whose prize was paid. */
export async function lockPrize(tx: Tx, projectId: string): Promise<ProjectRow | null> {
  const [row] = await tx<ProjectRow[]>`
    select ${shownColumns(tx)} from projects p where p.id = ${projectId} for update`;
  return row ?? null;
}

/** Returns a condition for a statement: the project takes entries. Reads by primary key. */
export const takesEntries = (db: Queryable, projectId: Fragment, now: Date) => db`
  exists (
    select 1 from projects where id = ${projectId} and status = 'open' and auto_select_deadline > ${now}
      and closes_at is null)`;

/** Returns a condition for a statement: an entry of the project costs this much. Reads by primary key. */
export const costs = (db: Queryable, projectId: Fragment, feeMicro: number) => db`
  exists (select 1 from projects where id = ${projectId} and entry_fee_micro = ${feeMicro})`;

/** Returns an expression for a statement: when a place ends that is taken now. Reads by primary key. */
export const placeEnd = (db: Queryable, projectId: Fragment, now: Date) => db`
  (select ${now}::timestamptz + least(
      make_interval(secs => place_hold_seconds),
      (coalesce(closes_at, auto_select_deadline) - ${now}::timestamptz) / 2)
    from projects where id = ${projectId})`;

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

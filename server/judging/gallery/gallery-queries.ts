import type { Gallery } from '../../../contract/projects/rights.ts';
import type { GalleryFilter } from '../../../contract/projects/gallery.ts';
import type { Cursor } from '../../paging.ts';
import type { PendingQuery, Queryable } from '../../db/database.ts';

export type GalleryItem = {
  item: number;
  mediaFileId: string;
  width: number;
  height: number;
  contentType: string;
  sizeBytes: number;
};
export type GalleryRow = {
  id: string;
  projectId: string;
  agentId: string;
  agentName: string;
  title: string;
  description: string | null;
  submittedAt: Date;
  generationTimeSeconds: number;
  /** The pictures of the entry, in order. */
  items: GalleryItem[];
  /** Whether the project is completed: its award is settled. */
  settled: boolean;
  gallery: Gallery;
  score: number | null;
  scoreSource: 'poster' | 'ai' | null;
  feedback: string | null;
  disqualifiedAt: Date | null;
  disqualifyReason: string | null;
  outcome: 'won' | 'lost' | 'shared' | 'cancelled' | null;
  rank: number | null;
  earningsMicro: number;
  feePaidMicro: number;
};

/** `winner`: the entry that won the prize; `others`: all other entries that are not disqualified. */
export type EntryFilter = GalleryFilter | 'winner' | 'others';

const conditions: Record<EntryFilter, (db: Queryable) => PendingQuery> = {
  all: (db) => db``,
  others: (db) => db`and disqualified_at is null and outcome is distinct from 'won'`,
  winner: (db) => db`and disqualified_at is null and outcome = 'won'`,
  unscored: (db) => db`and disqualified_at is null and score is null`,
  scored: (db) => db`and disqualified_at is null and score is not null`,
  disqualified: (db) => db`and disqualified_at is not null`,
};

const entryColumns = (db: Queryable) => db`
  s.id, s.project_id as "projectId", s.agent_id as "agentId",
  (select name from agents where id = s.agent_id) as "agentName", s.title, s.description,
  s.submitted_at as "submittedAt", s.generation_time_seconds as "generationTimeSeconds",
  m.items, (select status = 'completed' from projects where id = s.project_id) as settled,
  (select gallery from projects where id = s.project_id) as gallery, s.score, s.score_source as "scoreSource", s.feedback,
  s.disqualified_at as "disqualifiedAt", s.disqualify_reason as "disqualifyReason", s.outcome, s.rank,
  s.earnings_micro as "earningsMicro", s.entry_fee_paid_micro as "feePaidMicro"`;

/** The pictures of an entry as one row; no row without a picture. Index media_files_current. */
const itemsOf = (db: Queryable) => db`
  cross join lateral (
    select jsonb_agg(jsonb_build_object('item', item, 'mediaFileId', id, 'width', width, 'height', height,
      'contentType', content_type, 'sizeBytes', size_bytes) order by item) as items
    from media_files where submission_id = s.id and status = 'completed'
    having count(*) > 0
  ) m`;

/**
 * Returns confirmed entries with their pictures, earliest first. Reads one stretch of the index submissions_entries, then
 * looks up the agents and pictures of the page. With a join, the planner walked the agents by id when there were few.
 */
export async function listGallery(
  db: Queryable,
  page: { projectId: string; filter: EntryFilter; after: Cursor | null; limit: number; only?: string | null },
): Promise<GalleryRow[]> {
  const { projectId, filter, after, limit, only = null } = page;
  return await db<GalleryRow[]>`
    select ${entryColumns(db)}
    from (
      select * from submissions
      where project_id = ${projectId} and status = 'submitted'
        ${after ? db`and (submitted_at, id) > (${after.at}, ${after.id})` : db``} ${conditions[filter](db)}
        ${only === null ? db`` : db`and id = ${only}`}
      order by submitted_at, id limit ${limit}
    ) s ${itemsOf(db)}
    order by s.submitted_at, s.id`;
}

/** Returns which entries of a completed project the public sees. */
export async function galleryOf(db: Queryable, projectId: string): Promise<Gallery> {
  const [row] = await db<{ gallery: Gallery }[]>`select gallery from projects where id = ${projectId}`;
  return row?.gallery ?? 'private';
}

export type GalleryCounts = { total: number; unscored: number; qualified: number; winners: number };

export async function galleryCounts(db: Queryable, projectId: string): Promise<GalleryCounts> {
  const [row] = await db<GalleryCounts[]>`
    select count(*) as total,
      count(*) filter (where disqualified_at is null and score is null) as unscored,
      count(*) filter (where disqualified_at is null) as qualified,
      count(*) filter (where disqualified_at is null and outcome = 'won') as winners
    from submissions where project_id = ${projectId} and status = 'submitted'`;
  return row ?? { total: 0, unscored: 0, qualified: 0, winners: 0 };
}

/** Returns confirmed entries of any projects, in no order. */
export async function entriesById(db: Queryable, ids: string[]): Promise<GalleryRow[]> {
  if (ids.length === 0) return [];
  return await db<GalleryRow[]>`
    select ${entryColumns(db)}
    from submissions s ${itemsOf(db)}
    where s.id = any(${ids}) and s.status = 'submitted'`;
}

/** Returns why the AI judge could not score these entries, as far as it could not. Reads by primary key. */
export async function unscorableOf(db: Queryable, submissionIds: string[]): Promise<Map<string, string>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await db<{ id: string; reason: string }[]>`
    select submission_id as id, unscorable as reason from ai_scores
    where submission_id = any(${submissionIds}) and unscorable is not null`;
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

/** Returns which of these agents have linked a wallet. Reads by primary key. */
export async function agentsWithWallet(db: Queryable, agentIds: string[]): Promise<Set<string>> {
  if (agentIds.length === 0) return new Set();
  const rows = await db<{ id: string }[]>`
    select id from agents where id = any(${agentIds}) and wallet_linked_at is not null`;
  return new Set(rows.map(({ id }) => id));
}

/** Re-encoded, resized, or blurred copies differ in at most 6 of 64 bits. Other pictures differ in about 32. */
const ALIKE_BITS = 7;

export type Resemblance = { submission_id: string; exact: boolean };

/**
 * Returns, for each of these entries that has one, the earlier entry of the same project whose picture is most alike. A plain
 * area has the hash 0, which says nothing. Any pictures of two sets can be equal, but only their first ones alike: each
 * picture of a set compared with each one of the others would take minutes. Indexes submissions_entries and
 * media_files_submission.
 */
export async function resemblancesOf(db: Queryable, submissionIds: string[]): Promise<Map<string, Resemblance>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await db<(Resemblance & { id: string })[]>`
    with files as materialized (
      select s.project_id, s.id, s.submitted_at, m.item, m.sha256, m.perceptual_hash as hash
      from submissions s join media_files m on m.submission_id = s.id and m.status = 'completed'
      where s.status = 'submitted'
        and s.project_id in (select project_id from submissions where id = any(${submissionIds}))
    ), earliest as materialized (
      select distinct on (project_id, sha256) project_id, sha256, id, submitted_at
      from files order by project_id, sha256, submitted_at, id
    ), covers as materialized (select * from files where item = 1 and hash <> 0), found as (
      select own.id, o.id as submission_id, true as exact, 0 as bits, o.submitted_at
      from files own join earliest o using (project_id, sha256)
      where own.id = any(${submissionIds}) and o.id <> own.id
      union all
      select own.id, o.id, false, bits, o.submitted_at
      from covers own join covers o on o.project_id = own.project_id
          and (o.submitted_at, o.id) < (own.submitted_at, own.id)
        cross join lateral (select bit_count((o.hash # own.hash)::bit(64)) as bits) apart
      where own.id = any(${submissionIds}) and bits <= ${ALIKE_BITS}
    )
    select distinct on (id) id, submission_id, exact from found
    order by id, exact desc, bits, submitted_at, submission_id`;
  return new Map(rows.map(({ id, ...resemblance }) => [id, resemblance]));
}

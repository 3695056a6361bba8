import { BRIEF_TEXTS, type BriefTexts } from '../../../contract/projects/brief.ts';
import type { Queryable, Tx } from '../../db/database.ts';

/** Why a version of the terms exists. */
export type TermsReason = 'opened' | 'texts_changed' | 'deadline_moved' | 'closes_early' | 'places_raised';

export type TermsRow = { version: number; hash: string; reason: TermsReason; createdAt: Date };

/** A column of a statement on `projects p`: the current terms as their canonical text; null in drafts. */
export const currentTermsColumn = (db: Queryable) => db`
  (select t.canonical from project_terms t where t.project_id = p.id and t.version = p.terms_version) as "currentTerms"`;

type NewTerms = {
  projectId: string;
  version: number;
  canonical: string;
  hash: string;
  reason: TermsReason;
  at: Date;
};

// Not `async`, or the driver would send this statement after those that it belongs with.
export function insertTerms(tx: Tx, terms: NewTerms): PromiseLike<unknown> {
  const { projectId, version, canonical, hash, reason, at } = terms;
  return tx`
    insert into project_terms (project_id, version, canonical, hash, reason, created_at)
    values (${projectId}, ${version}, ${canonical}, ${hash}, ${reason}, ${at})`;
}

/** Makes a version the current one. The caller holds the project's lock. */
export async function updateCurrentTerms(
  tx: Tx,
  projectId: string,
  { version, hash }: { version: number; hash: string },
): Promise<void> {
  await tx`update projects set terms_version = ${version}, terms_hash = ${hash} where id = ${projectId}`;
}

/** Returns the newest terms of a project that has opened. Primary key. */
export async function findLatestTerms(
  db: Queryable,
  projectId: string,
): Promise<{ version: number; canonical: string; hash: string }> {
  const [row] = await db<{ version: number; canonical: string; hash: string }[]>`
    select version, canonical, hash from project_terms where project_id = ${projectId} order by version desc limit 1`;
  if (!row) throw new Error(`project ${projectId} has no terms`);
  return row;
}

/** The texts of a project that everyone can see, and the number of its current terms. */
export type PublicTexts = BriefTexts & {
  termsVersion: number;
  /** How many projects of this poster ended because it chose nobody. */
  posterNoWinner: number;
  specializations: string[];
  tags: string[];
};

/** Null for drafts and for projects in early access. Index projects_no_winner. */
export async function findPublicTexts(db: Queryable, projectId: string, now: Date): Promise<PublicTexts | null> {
  const [row] = await db<PublicTexts[]>`
    select terms_version as "termsVersion", ${db.unsafe(BRIEF_TEXTS.join(', '))}, specializations, tags, (
        select count(*) from projects ended
        where ended.poster_id = p.poster_id and ended.no_winner_reason is not null and ended.status = 'cancelled'
      ) as "posterNoWinner"
    from projects p where id = ${projectId} and published_at is not null and visible_at <= ${now}`;
  return row ?? null;
}

export async function findTerms(
  db: Queryable,
  projectId: string,
  version: number,
): Promise<(TermsRow & { canonical: string }) | null> {
  const [row] = await db<(TermsRow & { canonical: string })[]>`
    select version, canonical, hash, reason, created_at as "createdAt" from project_terms
    where project_id = ${projectId} and version = ${version}`;
  return row ?? null;
}

/** Lists versions without their texts, the newest first. Primary key. */
export async function listVersions(db: Queryable, projectId: string): Promise<TermsRow[]> {
  return await db<TermsRow[]>`
    select version, hash, reason, created_at as "createdAt" from project_terms
    where project_id = ${projectId} order by version desc`;
}

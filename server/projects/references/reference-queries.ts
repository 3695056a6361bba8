import type { Queryable, Tx } from '../../db/database.ts';
import type { StoredOriginal } from '../../pictures/types.ts';

/** A picture that is attached to a project, or whose upload the service awaits. */
export type ReferenceRow = {
  id: string;
  fileName: string;
  contentType: string;
  sizeBytes: number;
  createdAt: Date;
  expiresAt: Date;
  width: number | null;
  height: number | null;
  sha256: string | null;
  /** Where the newest inspection keeps the bytes, which no URL can write. */
  originalKey: string | null;
};

const referenceColumns = (db: Queryable) => db`
  p.id, p.file_name as "fileName", p.content_type as "contentType", p.size_bytes as "sizeBytes", p.created_at as "createdAt",
  p.expires_at as "expiresAt", p.width, p.height, encode(p.sha256, 'hex') as sha256,
  p.original_key as "originalKey"`;

/** A confirmed picture as `referencesColumn` returns it. */
export type ShownReference = { id: string; width: number; height: number; sha256: string };

/**
 * A column of a statement on `projects p`: its confirmed pictures in order; null without pictures. Unique index of
 * project_references.
 */
export const referencesColumn = (db: Queryable) => db`
  (select json_agg(json_build_object(
      'id', rp.id, 'width', rp.width, 'height', rp.height, 'sha256', encode(rp.sha256, 'hex')) order by r.picture_id)
    from project_references r join reference_pictures rp on rp.id = r.picture_id
    where r.project_id = p.id and rp.confirmed_at is not null) as "referencePictures"`;

/** Returns the first confirmed picture of each of these projects that has one. Unique index of project_references. */
export async function firstReferences(db: Queryable, projectIds: string[]): Promise<Map<string, ShownReference>> {
  if (projectIds.length === 0) return new Map();
  const rows = await db<(ShownReference & { projectId: string })[]>`
    select distinct on (r.project_id) r.project_id as "projectId", rp.id, rp.width, rp.height,
      encode(rp.sha256, 'hex') as sha256
    from project_references r join reference_pictures rp on rp.id = r.picture_id
    where r.project_id = any(${projectIds}) and rp.confirmed_at is not null order by r.project_id, r.picture_id`;
  return new Map(rows.map(({ projectId, ...picture }) => [projectId, picture]));
}

/** Lists the pictures of a project in their order. */
export async function listReferenceRows(db: Queryable, projectId: string): Promise<ReferenceRow[]> {
  return await db<ReferenceRow[]>`
    select ${referenceColumns(db)} from project_references r join reference_pictures p on p.id = r.picture_id
    where r.project_id = ${projectId} order by p.id`;
}

/** Pictures of drafts, and of projects that were canceled without an entry. Duplicates share the bytes of a picture. */
export type Unpublished = { bytes: number; hasPublished: boolean };

/**
 * Sums the unpublished pictures of a poster, also those that are about to be removed, and says if it has published a project.
 * A canceled one does not count, because its prize has gone back. Other requests of the poster wait until the
 * transaction ends. Indexes project_references_poster, projects_poster.
 */
export async function sumUnpublished(tx: Tx, posterId: string): Promise<Unpublished> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`references:${posterId}`}, 0))`;
  const [row] = await tx<[Unpublished]>`
    select (
        select coalesce(sum(size_bytes), 0)::bigint from reference_pictures where id in (
          select picture_id from project_references where poster_id = ${posterId} and not frozen)
      ) as bytes,
      exists (
        select from projects where poster_id = ${posterId} and published_at is not null and status <> 'cancelled'
      ) as "hasPublished"`;
  return row;
}

type Use = { projectId: string; posterId: string };
type NewPicture = Pick<ReferenceRow, 'id' | 'fileName' | 'contentType' | 'sizeBytes' | 'createdAt' | 'expiresAt'>;

/** Attaches a picture whose upload is awaited. The caller holds the project's lock. */
export async function insertReference(tx: Tx, { projectId, posterId }: Use, picture: NewPicture): Promise<void> {
  await tx`
    insert into reference_pictures (id, file_name, content_type, size_bytes, created_at, expires_at)
    values (${picture.id}, ${picture.fileName}, ${picture.contentType}, ${picture.sizeBytes}, ${picture.createdAt},
      ${picture.expiresAt})`;
  await tx`
    insert into project_references (picture_id, project_id, poster_id, created_at)
    values (${picture.id}, ${projectId}, ${posterId}, ${picture.createdAt})`;
}

/** Attaches the confirmed pictures of a project to another one. Their uses stay until this transaction ends. */
export async function copyReferences(tx: Tx, from: string, { projectId, posterId }: Use, at: Date): Promise<void> {
  await tx`
    insert into project_references (picture_id, project_id, poster_id, created_at)
    select r.picture_id, ${projectId}, ${posterId}, ${at}
    from project_references r join reference_pictures p on p.id = r.picture_id
    where r.project_id = ${from} and p.confirmed_at is not null order by r.picture_id for share of r`;
}

/**
 * Detaches a picture; the job removes it. Returns false if the project has no such picture. The caller holds the
 * project's lock.
 */
export async function detachReference(tx: Tx, projectId: string, pictureId: string): Promise<boolean> {
  const { count } = await tx`
    update project_references set project_id = null where project_id = ${projectId} and picture_id = ${pictureId}`;
  return count === 1;
}

export type Lease = { key: string; now: Date; until: Date };

/** Takes the lease of an inspection. Returns false while another process has it. The caller holds the project's lock. */
export async function leaseReference(tx: Tx, pictureId: string, { key, now, until }: Lease): Promise<boolean> {
  const { count } = await tx`
    update reference_pictures set inspect_until = ${until}, original_key = ${key}
    where id = ${pictureId} and confirmed_at is null and (inspect_until is null or inspect_until <= ${now})`;
  return count === 1;
}

export async function releaseReference(db: Queryable, pictureId: string, key: string): Promise<void> {
  await db`update reference_pictures set inspect_until = null where id = ${pictureId} and original_key = ${key}`;
}

export type Findings = { contentType: string; width: number; height: number; sha256: Buffer; at: Date };

/** Records the findings. Returns false when the lease has passed to another process. The caller holds the project's lock. */
export async function confirmReferenceRow(
  tx: Tx,
  pictureId: string,
  key: string,
  { width, height, sha256, at }: Findings,
): Promise<boolean> {
  const { count } = await tx`
    update reference_pictures set width = ${width}, height = ${height}, sha256 = ${sha256}, confirmed_at = ${at}
    where id = ${pictureId} and confirmed_at is null and original_key = ${key}`;
  return count === 1;
}

/** Fixes the pictures of a project that opens. Detaches those that were never confirmed. Returns the hashes in order. */
export async function freezeReferences(tx: Tx, projectId: string): Promise<string[]> {
  // The statements are sent together, in one round trip.
  const detached = tx`
    update project_references r set project_id = null from reference_pictures p
    where r.project_id = ${projectId} and p.id = r.picture_id and p.confirmed_at is null`;
  const frozen = tx<{ sha256: string }[]>`
    with frozen as (
      update project_references set frozen = true where project_id = ${projectId} returning picture_id)
    select encode(p.sha256, 'hex') as sha256 from frozen f join reference_pictures p on p.id = f.picture_id
    order by p.id`;
  const [, rows] = await Promise.all([detached, frozen]);
  return rows.map(({ sha256 }) => sha256);
}

/**
 * Counts the pictures of a project among those of drafts again, and removes them after as long: it ended without an entry, so
 * its prize went back.
 */
export async function releaseReferences(tx: Tx, projectId: string): Promise<void> {
  await tx`update project_references set frozen = false where project_id = ${projectId} and frozen`;
}

/** Returns where the original of a confirmed picture is stored. Null for an unknown id. */
export async function findReferenceOriginal(db: Queryable, pictureId: string): Promise<StoredOriginal | null> {
  const [row] = await db<StoredOriginal[]>`
    select null as "markId", original_key as key, content_type as "contentType", size_bytes as "sizeBytes", sha256
    from reference_pictures where id = ${pictureId} and confirmed_at is not null`;
  return row ?? null;
}

/** The object that the upload URL writes. */
export function uploadKey(pictureId: string): string {
  return `uploads/references/${pictureId}`;
}

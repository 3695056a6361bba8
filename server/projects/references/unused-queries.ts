import type { Queryable, Tx } from '../../db/database.ts';

/** Detaches pictures whose upload was not confirmed before `before`. Index reference_pictures_upload. */
export async function detachUnconfirmed(db: Queryable, before: Date, limit: number): Promise<number> {
  const { count } = await db`
    update project_references set project_id = null where id in (
      select r.id from reference_pictures p join project_references r on r.picture_id = p.id
      where not p.upload_removed and p.expires_at < ${before} and p.confirmed_at is null and r.project_id is not null
      limit ${limit})`;
  return count;
}

/**
 * Detaches the pictures of drafts, and of projects canceled without an entry, that have not changed since `before`. Index
 * project_references_drafts.
 * The outer `not frozen` is read again when a project that opens at this moment holds the row.
 */
export async function detachAbandoned(db: Queryable, before: Date, limit: number): Promise<number> {
  const { count } = await db`
    update project_references set project_id = null where not frozen and id in (
      select r.id from project_references r join projects p on p.id = r.project_id
      where not r.frozen and r.created_at < ${before} and p.status in ('draft', 'cancelled')
        and p.updated_at < ${before}
      limit ${limit})`;
  return count;
}

export type UnusedRow = { id: number; pictureId: string; originalKey: string | null };

/** Lists uses without a project whose upload URL expired before `before`. Index project_references_unused. */
export async function listUnused(
  db: Queryable,
  { before, after, limit }: { before: Date; after: number; limit: number },
): Promise<UnusedRow[]> {
  return await db<UnusedRow[]>`
    select r.id, r.picture_id as "pictureId", p.original_key as "originalKey"
    from project_references r join reference_pictures p on p.id = r.picture_id
    where r.project_id is null and r.id > ${after} and p.expires_at < ${before} order by r.id limit ${limit}`;
}

/**
 * Deletes a use without a project if its picture has another use. Returns false if it was the last one. Nobody can add a use
 * then, because uses are only copied from uses that have a project.
 */
export async function deleteSharedUse(tx: Tx, { id, pictureId }: UnusedRow): Promise<boolean> {
  await tx`select from reference_pictures where id = ${pictureId} for update`;
  const [other] = await tx`
    select from project_references where picture_id = ${pictureId} and id <> ${id} limit 1`;
  if (!other) return false;
  await tx`delete from project_references where id = ${id}`;
  return true;
}

export async function deletePicture(tx: Tx, { id, pictureId }: UnusedRow): Promise<void> {
  await tx`delete from project_references where id = ${id}`;
  await tx`delete from reference_pictures where id = ${pictureId}`;
}

/** Lists confirmed pictures whose upload URL expired before `before` and whose upload is still stored. */
export async function listConfirmedUploads(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from reference_pictures
    where not upload_removed and expires_at < ${before} and confirmed_at is not null
    order by expires_at, id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function markReferenceUploadsRemoved(db: Queryable, ids: string[]): Promise<void> {
  await db`update reference_pictures set upload_removed = true where id = any(${ids})`;
}

import type { Gallery } from '../../../contract/projects/rights.ts';
import type { Cursor } from '../../paging.ts';
import { type EntryFilter, findGallery, type GalleryRow, listEntriesById, listGallery } from './gallery-queries.ts';
import type { Queryable } from '../../db/database.ts';

/** Returns confirmed entries with their pictures, earliest first; one more than `limit` when more follow. */
export async function galleryPage(
  db: Queryable,
  page: { projectId: string; filter: EntryFilter; after: Cursor | null; limit: number; only?: string | null },
): Promise<GalleryRow[]> {
  return await listGallery(db, { ...page, limit: page.limit + 1 });
}

/** Returns which entries of a completed project the public sees. */
export async function galleryOf(db: Queryable, projectId: string): Promise<Gallery> {
  return (await findGallery(db, projectId)) ?? 'private';
}

/** Returns confirmed entries of any projects, in no order. */
export async function entriesById(db: Queryable, ids: string[]): Promise<GalleryRow[]> {
  return ids.length === 0 ? [] : await listEntriesById(db, ids);
}

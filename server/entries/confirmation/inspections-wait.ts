import { findInspecting } from './inspection-queries.ts';
import type { Queryable } from '../../db/database.ts';

/**
 * How long a project waits for an inspection that was requested in time. Only a storage that fails all the time reaches
 * this bound: the inspection of a picture takes at most seconds of CPU, and its agent cannot request it anew.
 */
export const INSPECTION_WAIT_MS = 60 * 60_000;

/**
 * Returns whether the service still inspects a picture whose confirmation was requested in time. The caller holds the
 * project's lock, so that none is requested meanwhile.
 */
export async function inspectionsWait(db: Queryable, projectId: string, now: Date): Promise<boolean> {
  return await findInspecting(db, projectId, new Date(now.getTime() - INSPECTION_WAIT_MS));
}

import type { Cursor } from '../../paging.ts';
import {
  type AnyProjectDetailRow,
  type AnyProjectFilter,
  type AnyProjectRow,
  findAnyProject,
  listAnyProjects,
  matchPrizes,
  matchTitles,
} from './all-projects-queries.ts';
import { projectNotFound } from '../../projects/public.ts';
import type { Queryable } from '../../ports/database.ts';

// Fewer than 8 digits are read as a word of a title. An id starts with its time; 8 digits are about a minute.
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]*$/i;
const ID_DIGITS = 32;
const MAX_WORDS = 8;
/** PostgreSQL sorts so many in a millisecond. Among more matches, an ordered walk soon finds a page. */
const FEW = 1_000;

type Wanted = Omit<AnyProjectFilter, 'search' | 'ids'> & { search?: string | undefined };

/** Returns projects of all posters, drafts included, newest first. */
export async function allProjects(
  db: Queryable,
  { search: text, ...filter }: Wanted,
  page: { after: Cursor | null; limit: number },
): Promise<AnyProjectRow[]> {
  const search = text === undefined ? null : await readSearch(db, text);
  return await listAnyProjects(db, { ...filter, search, ids: await idsOf(db, filter, search) }, page);
}

/** The ids of the projects with such a prize, if they are few, and nothing else narrows the list. */
async function idsOf(
  db: Queryable,
  { status, posterId, minMicro, maxMicro }: Omit<AnyProjectFilter, 'search' | 'ids'>,
  search: AnyProjectFilter['search'],
): Promise<string[] | null> {
  if (search && 'ids' in search) return search.ids;
  if (posterId !== undefined || search || (minMicro === undefined && maxMicro === undefined)) return null;
  return await matchPrizes(db, { status, minMicro, maxMicro }, FEW);
}

async function readSearch(db: Queryable, text: string): Promise<AnyProjectFilter['search']> {
  const digits = text.replaceAll('-', '').toLowerCase();
  if (ID_PREFIX.test(text) && digits.length <= ID_DIGITS)
    return { idFrom: digits.padEnd(ID_DIGITS, '0'), idTo: digits.padEnd(ID_DIGITS, 'f') };
  const asked = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
  // A search without any word matches nothing.
  if (asked.length === 0) return { ids: [] };
  const words = asked.map((word) => `'${word}':*`).join(' & ');
  const ids = await matchTitles(db, words, FEW);
  return ids ? { ids } : { words };
}

/** Returns any poster's project. @throws DomainError PROJECT_NOT_FOUND */
export async function requireAnyProject(db: Queryable, projectId: string): Promise<AnyProjectDetailRow> {
  const row = await findAnyProject(db, projectId);
  if (!row) throw projectNotFound();
  return row;
}

import type { ProjectStatus } from '../../contract/projects.ts';
import type { Queryable } from '../context.ts';
import type { Place } from '../paging.ts';
import {
  type AnyProjectDetailRow,
  type AnyProjectFilter,
  type AnyProjectRow,
  findAnyProject,
  listAnyProjects,
} from './all-projects-queries.ts';
import { projectNotFound } from './state.ts';

export type { AnyProjectRow };

// Fewer digits are a word of a title; those of an id begin with its time, 8 of them with a minute.
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]*$/i;
const ID_DIGITS = 32;
const MAX_WORDS = 8;

type Wanted = { status: ProjectStatus | undefined; posterId: string | undefined; search: string | undefined };

/** Projects of all posters, drafts included, newest first. */
export async function allProjects(
  db: Queryable,
  { search, ...filter }: Wanted,
  page: { after: Place | null; limit: number },
): Promise<AnyProjectRow[]> {
  const wanted = search === undefined ? null : readSearch(search);
  // What was asked for has no word in it, and matches nothing.
  if (wanted && 'words' in wanted && wanted.words === '') return [];
  return await listAnyProjects(db, { ...filter, search: wanted }, page);
}

function readSearch(text: string): NonNullable<AnyProjectFilter['search']> {
  const digits = text.replaceAll('-', '').toLowerCase();
  if (ID_PREFIX.test(text) && digits.length <= ID_DIGITS)
    return { idFrom: digits.padEnd(ID_DIGITS, '0'), idTo: digits.padEnd(ID_DIGITS, 'f') };
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
  return { words: words.map((word) => `'${word}':*`).join(' & ') };
}

/** Whosever it is. @throws DomainError PROJECT_NOT_FOUND */
export async function requireAnyProject(db: Queryable, projectId: string): Promise<AnyProjectDetailRow> {
  const row = await findAnyProject(db, projectId);
  if (!row) throw projectNotFound();
  return row;
}

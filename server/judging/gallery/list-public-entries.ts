import type { galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { type Cursor, decodeCursor, pageOf } from '../../paging.ts';
import { requireCompletedProject } from '../../projects/public.ts';
import { galleryOf, galleryPage } from './gallery.ts';
import { galleryCounts, type GalleryRow } from './gallery-queries.ts';
import { shownEntries } from './gallery-view.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof galleryOperations.listPublicEntries;

/**
 * Returns the entries that a completed project shows to the public: the winner first, then the others by their
 * confirmation. A project that is not completed gives the same error as an unknown one.
 */
export async function listPublicEntries(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { limit } = query;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  await requireCompletedProject(ctx.reads, projectId);
  const gallery = await galleryOf(ctx.reads, projectId);
  if (gallery === 'private') return { submissions: [], counts: { total: 0 }, has_more: false, next_cursor: null };
  const winnerOnly = gallery === 'winner_only';
  const [found, { qualified, winners }] = await Promise.all([
    publicPage(ctx.reads, { projectId, winnerOnly, after, limit }),
    galleryCounts(ctx.reads, projectId),
  ]);
  const { rows, hasMore, nextCursor } = pageOf(found, limit, ({ submittedAt, id, outcome }) =>
    outcome === 'won' ? START : { at: submittedAt, id },
  );
  return {
    submissions: await shownEntries(ctx, rows, 'public'),
    counts: { total: winnerOnly ? winners : qualified },
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}

type PublicPage = { projectId: string; winnerOnly: boolean; after: Cursor | null; limit: number };

/** The place before every entry: where the others go on after a page that has only the winner. */
const START: Cursor = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/**
 * Returns one row more than `limit` when more follow. Only the first page has the winner, who may have entered late.
 */
async function publicPage(
  db: Context<PublicCaller>['reads'],
  { projectId, winnerOnly, after, limit }: PublicPage,
): Promise<GalleryRow[]> {
  const winners = after === null ? await galleryPage(db, { projectId, filter: 'winner', after, limit: 1 }) : [];
  if (winnerOnly) return winners;
  const others = await galleryPage(db, { projectId, filter: 'others', after, limit: limit - winners.length });
  return [...winners, ...others];
}

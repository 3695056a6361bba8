import type { galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { type Cursor, readPage } from '../../paging.ts';
import { requireCompletedProject } from '../../projects/public.ts';
import { galleryCounts, galleryOf, type GalleryRow, listGallery } from './gallery-queries.ts';
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
  await requireCompletedProject(ctx.reads, projectId);
  const gallery = await galleryOf(ctx.reads, projectId);
  if (gallery === 'private') return { submissions: [], counts: { total: 0 }, has_more: false, next_cursor: null };
  const winnerOnly = gallery === 'winner_only';
  const [{ rows, end }, { qualified, winners }] = await Promise.all([
    readPage(
      query,
      (page) => publicPage(ctx.reads, { projectId, winnerOnly, ...page }),
      ({ submittedAt, id, outcome }) => (outcome === 'won' ? START : { at: submittedAt, id }),
    ),
    galleryCounts(ctx.reads, projectId),
  ]);
  return {
    submissions: await shownEntries(ctx, rows),
    counts: { total: winnerOnly ? winners : qualified },
    ...end,
  };
}

type PublicPage = { projectId: string; winnerOnly: boolean; after: Cursor | null; limit: number };

/** The place before every entry: where the others go on after a page that has only the winner. */
const START: Cursor = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** Only the first page has the winner, who may have entered late. */
async function publicPage(
  db: Context<PublicCaller>['reads'],
  { projectId, winnerOnly, after, limit }: PublicPage,
): Promise<GalleryRow[]> {
  const winners = after === null ? await listGallery(db, { projectId, filter: 'winner', after, limit: 1 }) : [];
  if (winnerOnly) return winners;
  const others = await listGallery(db, { projectId, filter: 'others', after, limit: limit - winners.length });
  return [...winners, ...others];
}

import type { ShownCopies } from '../ports/pictures.ts';

/**
 * A viewer of an entry's pictures. Operators see a project as its poster does, and marked copies in their lists of entries
 * and flags.
 */
export type Viewer = 'agent' | 'poster' | 'public';

const PLAIN: ShownCopies = { image: 'plain', thumbnail: 'plain' };
const MARKED: ShownCopies = { image: 'marked', thumbnail: 'marked' };

/**
 * Pictures of this longer side in pixels, or more, lose at least a third of it in their thumbnails. The thumbnail of a
 * smaller picture is nearly the original, which only the winner sells.
 */
const LEAST_REDUCED_PX = 600;

/**
 * Returns which copies of a picture a viewer gets. Until the award is settled, the poster has bought nothing, so every copy
 * carries a watermark. Afterwards the thumbnails of the winner and of larger pictures are plain, and the poster also sees the
 * winner's preview without a watermark.
 *
 * @param size of the picture in pixels; needed for a settled entry that did not win
 */
export function copiesFor(
  viewer: Viewer,
  { settled, won }: { settled: boolean; won: boolean },
  size?: { width: number; height: number },
): ShownCopies {
  if (viewer === 'agent') return PLAIN;
  if (!settled) return MARKED;
  if (viewer === 'poster' && won) return PLAIN;
  const isReduced = size !== undefined && Math.max(size.width, size.height) >= LEAST_REDUCED_PX;
  return won || isReduced ? { image: 'marked', thumbnail: 'plain' } : MARKED;
}

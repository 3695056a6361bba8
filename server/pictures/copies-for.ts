import type { ShownCopies } from '../ports/pictures.ts';

/** A viewer of an entry's pictures. The operator sees what the poster sees. */
export type Viewer = 'agent' | 'poster' | 'public';

const PLAIN: ShownCopies = { image: 'plain', thumbnail: 'plain' };
const MARKED: ShownCopies = { image: 'marked', thumbnail: 'marked' };

/**
 * Returns which copies a viewer gets. Until the award is settled, the poster has bought nothing, so every copy carries a
 * watermark. Afterwards the thumbnails are plain, and the poster also sees the winner's preview without a watermark.
 */
export function copiesFor(viewer: Viewer, { settled, won }: { settled: boolean; won: boolean }): ShownCopies {
  if (viewer === 'agent') return PLAIN;
  if (!settled) return MARKED;
  return viewer === 'poster' && won ? PLAIN : { image: 'marked', thumbnail: 'plain' };
}

import type { ShownImage } from './types.ts';

/** A viewer of an entry's pictures. Operators see a project as its poster does. */
export type Viewer = 'agent' | 'poster' | 'public';

/** Returns which preview of a picture a viewer gets. The winner's has no mark once the award is settled. Thumbnails have none. */
export function imageFor(viewer: Viewer, { settled, won }: { settled: boolean; won: boolean }): ShownImage {
  return viewer === 'agent' || (settled && won) ? 'plain' : 'marked';
}

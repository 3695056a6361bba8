// projects/search/ offers searches of published projects, and their parts for other lists of projects. The rest is private.

// Search for the public market: the same rows and cursors, shaped by the caller.
export { decodeSearchCursor, encodeSearchCursor } from './search-cursor.ts';
export {
  foundColumns,
  type FoundProject,
  kindOf,
  positionOf,
  type Search,
  searchProjectRows,
  type VisibleTime,
} from './search-queries.ts';
export { foundProject } from './search-projects.ts';

// projects/search/ offers searches of published projects, and their parts for other lists of projects. The rest is private.

// The route of the search.
export { searchRoutes } from './routes.ts';
// Search for the public market: the same listings and cursors, shaped by the caller.
export { decodeSearchCursor, encodeSearchCursor } from './search-cursor.ts';
export {
  kindOf,
  POSTER_NO_WINNER,
  positionOf,
  projectJson,
  searchListings,
  type ProjectCard,
  type Search,
  type VisibleTime,
} from './search-queries.ts';
export { inSearchTurn, onSearchPool } from './search-turns.ts';
export { specializationsWriter } from './specializations-json.ts';

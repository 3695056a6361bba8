// What projects/search/ offers to other folders; everything else in it is private.

export { searchRoutes } from './routes.ts';
export { decodeCursor, encodeCursor } from './search-cursor.ts';
export { positionOf, searchListings, type ProjectCard, type Search } from './search-queries.ts';
export { specializationsWriter, type SpecializationsWriter } from './specializations-json.ts';

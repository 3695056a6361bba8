// projects/briefs/ offers duplicates of briefs and their reference pictures. The rest is private.

export { briefRoutes } from './routes.ts';

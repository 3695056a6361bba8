// views/briefs/ offers templates of briefs and prize guidance. The rest is private.

export { briefHelpRoutes } from './routes.ts';

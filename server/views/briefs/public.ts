// views/briefs/ offers prize guidance, which reads completed projects. The rest is private.

export { briefHelpRoutes } from './routes.ts';

// The exports of views/briefs/. Other folders import nothing else from it.

export { briefHelpRoutes } from './routes.ts';

// The exports of projects/briefs/. Other folders import nothing else from it.

export { briefRoutes } from './routes.ts';
export { TEMPLATES } from './templates.ts';

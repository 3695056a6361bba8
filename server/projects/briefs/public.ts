// projects/briefs/ offers what helps authors of briefs: the texts of templates, duplicates, and reference pictures. The
// rest is private.

export { briefRoutes } from './routes.ts';
export { TEMPLATES } from './templates.ts';

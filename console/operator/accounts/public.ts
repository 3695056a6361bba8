/**
 * Lists and detail pages of posters and agents.
 */
export { isoOf, UntilField } from './status-fields.tsx';
export { accountRoutes } from './routes.ts';

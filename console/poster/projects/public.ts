/**
 * The list of a poster's briefs, and the page of one published brief.
 */
export { homeRoute, projectRoute } from './routes.ts';

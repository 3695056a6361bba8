/**
 * The area of posters: sign-in, drafts and publishing, published briefs, judging.
 */
export { posterArea } from './routes.ts';

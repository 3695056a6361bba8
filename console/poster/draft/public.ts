/**
 * The form of a draft, and publishing: what it costs, the payment, its progress.
 */
export { draftRoute } from './routes.ts';

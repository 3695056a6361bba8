/**
 * The operator's first page: what needs attention, money, ledger checks, webhooks, failures.
 */
export { overviewRoute } from './routes.ts';

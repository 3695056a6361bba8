/**
 * The operator's first page: what needs attention, money, ledger checks, webhooks, failures.
 */
export { machineRoute, overviewRoute } from './routes.ts';

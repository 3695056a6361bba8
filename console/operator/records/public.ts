/**
 * The search, the deliveries of webhooks, and the audit trail.
 */
export { disableAction } from './disable-webhook.tsx';
export { recordRoutes } from './routes.ts';

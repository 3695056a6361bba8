// What webhooks/endpoints/ offers to other folders; everything else in it is private.

export { announceProject, type AnnouncedProject } from './announce-project.ts';
export { followSettings, followTiers, silence, webhooksOf } from './endpoint-changes.ts';
export { findWebhookOf, lockWebhookOf, type WebhookRow } from './queries.ts';
export { endpointRoutes } from './routes.ts';
export { EVENT_TYPE, noWebhook } from './webhook-view.ts';

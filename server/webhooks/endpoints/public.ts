// webhooks/endpoints/ offers the webhooks of agents and the outbox of events. The rest is private.

/** Writes the event of an opened project. */
export { announceProject } from './announce-project.ts';

/** Writes the event of an agent's wallet. */
export { announceWallet } from './announce-wallet.ts';

/** Follows changes of agents: suspension, tier, and settings. */
export { followSettings, followTiers, webhooksOf } from './endpoint-changes.ts';
export { pauseWebhook } from './queries.ts';

/** Finds webhooks for the history of their deliveries. */
export { findWebhookOf, lockWebhookOf, type WebhookRow } from './queries.ts';
export { EVENT_TYPE, noWebhook, shownState } from './webhook-view.ts';

/** Encrypts secrets again after a change of SECRETS_KEY. */
export { resealSecrets } from './reseal-secrets.ts';

export { sendTest, type TestedEndpoint } from './send-test.ts';

/** The rules for URLs, which hold for every endpoint. */
export { requireRoomAt } from './room-at-host.ts';
export { checkWebhookUrl, hostOf } from './webhook-url.ts';

/** Serves the operations on webhooks. */
export { endpointRoutes } from './routes.ts';

// webhooks/delivery/ offers one delivery to one endpoint: its secrets, signature, request, and the time of the next attempt.

export { createDeliverWebhook } from './deliver-webhook.ts';
export {
  SECRET_BYTES,
  PREVIOUS_SECRET_MS,
  createWebhookSecrets,
  openSecrets,
  type SealedSecrets,
  shownSecret,
} from './secrets.ts';
export { sentRequest } from './sent-request.ts';
export { signableEvent, signDelivery, type SignableEvent } from './signature.ts';
export { afterAttempt, attemptNumber, BACK_OFF_MS, FIRST_ATTEMPT, IMMEDIATE_RETRY, isGone } from './retry-schedule.ts';

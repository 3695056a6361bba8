import { DomainError } from '../../../contract/basics/errors.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { WebhookRow } from './queries.ts';

export const EVENT_TYPE = 'PROJECT.OPEN';
export const WALLET_EVENT = 'WALLET.CHANGE';

/** Returns the members that every response about a webhook has. */
export function shownWebhook(row: WebhookRow) {
  return {
    subscription_id: row.id,
    webhook_url: row.url,
    event_type: EVENT_TYPE,
    events: eventsOf(row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  } as const;
}

/** Returns the events that a webhook takes. */
export function eventsOf({ walletEvents }: WebhookRow): (typeof EVENT_TYPE | typeof WALLET_EVENT)[] {
  return walletEvents ? [EVENT_TYPE, WALLET_EVENT] : [EVENT_TYPE];
}

type Health = Pick<WebhookRow, 'status' | 'disabledReason' | 'failingSince' | 'verifiedAt'>;
type State = Pick<
  Output<typeof webhookOperations.getWebhook>,
  'status' | 'disabled_reason' | 'failing_since' | 'verified_at'
>;

export function shownState(row: Health): State {
  return {
    status: webhookStatusOf(row),
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince,
    verified_at: row.verifiedAt,
  };
}

/** Returns the status of a webhook. `failing`: events are sent, but deliveries fail. */
export function webhookStatusOf({ status, failingSince }: Pick<Health, 'status' | 'failingSince'>): State['status'] {
  return status === 'active' && failingSince !== null ? 'failing' : status;
}

export function noWebhook(): DomainError {
  return new DomainError('NOT_FOUND', 'This agent has no webhook.');
}

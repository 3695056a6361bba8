import { DomainError } from '../../../contract/basics/errors.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { webhookOperations } from '../../../contract/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { type AttemptRow, type DeliveryRow, listAttempts } from './delivery-list-queries.ts';
import { type WebhookRow, EVENT_TYPE } from '../endpoints/public.ts';
import type { Queryable } from '../../ports/database.ts';

type Delivery = Output<typeof webhookOperations.listDeliveries>['deliveries'][number];

const DAY_MS = 86_400_000;

/**
 * Returns the date before which a webhook has no deliveries: its registration, less a day for an event that was in early
 * access then, or the start of the retention, less a day because partitions are dropped by whole days.
 */
export function deliveriesSince(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  { createdAt }: Pick<WebhookRow, 'createdAt'>,
): Date {
  const keptFrom = clock.now().getTime() - (config.webhooks.retentionDays + 1) * DAY_MS;
  return new Date(Math.max(createdAt.getTime() - DAY_MS, keptFrom));
}

/** Adds the attempts to deliveries, in the order of the rows. */
export async function showDeliveries<Row extends DeliveryRow>(
  db: Queryable,
  rows: Row[],
): Promise<{ row: Row; shown: Delivery }[]> {
  const byDelivery = new Map<string, AttemptRow[]>(rows.map((row) => [keyOf(row), []]));
  for (const attempt of await listAttempts(db, rows)) byDelivery.get(keyOf(attempt))?.push(attempt);
  return rows.map((row) => ({ row, shown: shownDelivery(row, byDelivery.get(keyOf(row)) ?? []) }));
}

function keyOf({ eventId, webhookId }: Pick<DeliveryRow, 'eventId' | 'webhookId'>): string {
  return `${eventId} ${webhookId}`;
}

function shownDelivery(row: DeliveryRow, attempts: AttemptRow[]): Delivery {
  const state = stateOf(row, attempts);
  return {
    id: row.eventId,
    event: EVENT_TYPE,
    project_id: row.projectId,
    project_title: row.projectTitle,
    state,
    created_at: row.createdAt,
    next_attempt_at: state === 'pending' || state === 'retrying' ? row.dueAt : null,
    attempts: attempts.map(({ at, number, status, latencyMs, failure, answer }) => ({
      at,
      number,
      status,
      latency_ms: latencyMs,
      failure,
      answer,
    })),
  };
}

function stateOf(row: DeliveryRow, attempts: AttemptRow[]): Delivery['state'] {
  if (row.deadAt) return 'dead';
  if (row.deliveredAt) return 'delivered';
  if (row.waited) return attempts.length > 0 ? 'retrying' : 'pending';
  // A delivery that succeeds at once has attempts and no retry row.
  if (attempts.some(({ outcome }) => outcome === 'delivered')) return 'delivered';
  return attempts.length > 0 ? 'dead' : 'pending';
}

/** The same error for another agent's event, an event that never went to this webhook, and an unknown id. */
export function noDelivery(): DomainError {
  return new DomainError('NOT_FOUND', 'No such delivery.');
}

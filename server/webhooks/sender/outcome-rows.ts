import type { FirstDelivery } from './first-delivery.ts';
import type { NewRetry } from './outcome-queries.ts';
import type { RetryOutcome } from './outcome-writer.ts';
import type { ClaimedFanOut, LaneName } from './sender-queries.ts';
import { retryPriority } from './shards.ts';
import { afterAttempt, FIRST_ATTEMPT } from '../delivery/public.ts';

/** Returns the row of `webhook_retries` that a first delivery needs; null when it succeeded. */
export function newRetryOf(
  delivery: FirstDelivery,
  { token, now, leaseUntil }: { token: string; now: Date; leaseUntil: Date },
): NewRetry | null {
  const { endpoint, state, retries } = delivery;
  const row = { webhookId: endpoint.id, priority: retryPriority(endpoint.shard), token: null, leaseUntil: null };
  if (state === 'deferred') {
    // A delivery that waited for its network waits in the slow lane. A busy endpoint is free again in a moment.
    const lane = endpoint.slow || delivery.wasStarted ? 'slow' : 'retry';
    // At an endpoint that never succeeded, the event waits until none is on its way there.
    return { ...row, retries: FIRST_ATTEMPT, lane, dueAt: endpoint.verified ? now : null, deadAt: null };
  }
  if (state === 'handed over')
    return { ...row, retries: FIRST_ATTEMPT, lane: 'slow', dueAt: now, deadAt: null, token, leaseUntil };
  const last = delivery.attempts.at(-1);
  if (!last || last.outcome.ok) return null;
  const { retries: made, dueAt, deadAt } = afterAttempt(retries, last.outcome, delivery.endedAt ?? now);
  return { ...row, retries: made, lane: laneAfter(delivery), dueAt, deadAt };
}

/** Returns the outcome of a first delivery that was handed over to a leased retry row. */
export function outcomeOfHandedOver(
  delivery: FirstDelivery,
  { claimed, token, endedAt }: { claimed: ClaimedFanOut; token: string; endedAt: Date },
): RetryOutcome {
  const { endpoint, attempts } = delivery;
  const key = { day: claimed.day, eventId: claimed.eventId, webhookId: endpoint.id, token };
  const last = attempts.at(-1);
  if (!last) {
    // Nothing was sent: the delivery still waited for its network.
    const again = { retries: FIRST_ATTEMPT, lane: 'slow' as const, dueAt: endedAt, deadAt: null, deliveredAt: null };
    return { retry: { ...key, ...again }, attempts, observation: null };
  }
  const next = afterAttempt(delivery.retries, last.outcome, endedAt);
  return {
    retry: { ...key, lane: laneAfter(delivery), ...next },
    attempts,
    observation: { endpoint, outcome: last.outcome },
  };
}

function laneAfter({ endpoint, attempts }: FirstDelivery): LaneName {
  return endpoint.slow || attempts.at(-1)?.outcome.failure === 'timeout' ? 'slow' : 'retry';
}

import type { Flight } from './first-delivery.ts';
import type { NewRetry } from './outcome-queries.ts';
import { afterAttempt, FIRST_ATTEMPT } from './retry-schedule.ts';
import type { ClaimedFanOut, RetryLane } from './sender-queries.ts';
import type { Settled } from './outcome-writer.ts';
import { retryPriority } from './shards.ts';

/** The row of `webhook_retries` that a first attempt leaves behind; none when it was delivered. */
export function leftBehind(
  flight: Flight,
  { token, now, leaseUntil }: { token: string; now: Date; leaseUntil: Date },
): NewRetry | null {
  const { endpoint, state, retries } = flight;
  const row = { webhookId: endpoint.id, priority: retryPriority(endpoint.shard), token: null, leaseUntil: null };
  if (state === 'put off') {
    // Who waited for its network waits on among the slow; an endpoint that is busy is free again in a moment.
    const lane = endpoint.slow || flight.slot ? 'slow' : 'retry';
    return { ...row, retries: FIRST_ATTEMPT, lane, dueAt: now, deadAt: null };
  }
  if (state === 'recorded')
    return { ...row, retries: FIRST_ATTEMPT, lane: 'slow', dueAt: now, deadAt: null, token, leaseUntil };
  const last = flight.attempts.at(-1);
  if (!last || last.outcome.ok) return null;
  const { retries: made, dueAt, deadAt } = afterAttempt(retries, last.outcome, flight.endedAt ?? now);
  return { ...row, retries: made, lane: laneAfter(flight), dueAt, deadAt };
}

/** What came of a first attempt that its batch did not wait for. */
export function settledLater(
  flight: Flight,
  { claimed, token, endedAt }: { claimed: ClaimedFanOut; token: string; endedAt: Date },
): Settled {
  const { endpoint, attempts } = flight;
  const key = { day: claimed.day, eventId: claimed.eventId, webhookId: endpoint.id, token };
  const last = attempts.at(-1);
  if (!last) {
    // It was still waiting for its network.
    const again = { retries: FIRST_ATTEMPT, lane: 'slow' as const, dueAt: endedAt, deadAt: null, deliveredAt: null };
    return { retry: { ...key, ...again }, attempts, seen: null };
  }
  const next = afterAttempt(flight.retries, last.outcome, endedAt);
  return {
    retry: { ...key, lane: laneAfter(flight), ...next },
    attempts,
    seen: { endpoint, outcome: last.outcome },
  };
}

function laneAfter({ endpoint, attempts }: Flight): RetryLane {
  return endpoint.slow || attempts.at(-1)?.outcome.failure === 'timeout' ? 'slow' : 'retry';
}

import { withTransaction } from '../db/public.ts';
import { bookPayment } from './book-payment.ts';
import { ChainUnavailable } from '../chain/types.ts';
import { leaseDue, LONGEST_BACKOFF_MS, takeBackSweeps } from './lease-queries.ts';
import { type PaymentRow, releasePayment, stopWatching } from './queries.ts';
import { authorizationQuery, resolvePayment, tellLost } from './resolve-payment.ts';
import { SIGNER_UNAVAILABLE } from './sign-payout.ts';
import { idsOf, type PaymentDeps } from './deps.ts';

// Payments that are resolved side by side. They mostly wait for the chain, and after a kill hundreds can be open.
const MOST_SIDE_BY_SIDE = 100;
// A facilitator that does not say how many settlements it takes at once gets no more than this.
const SIDE_BY_SIDE = 32;
// A run over a long backlog ends well before the job monitor takes it for a hanging one. The next run goes on.
const RUN_MS = 5 * 60_000;
const FIRST_BACKOFF_MS = 10_000;

export type SweepResult = { settled: number; failed: number; undecided: number };

/**
 * Resolves payments that no request waits for: after a crash, a timeout, or a fault of the facilitator. Watches failed
 * payments until they can no longer execute. Any number of processes may sweep at once. A payment that stays undecided, or
 * throws, comes back with exponential backoff and delays no other payment.
 */
export async function sweepPayments(deps: PaymentDeps, stopping?: AbortSignal): Promise<SweepResult> {
  const result = { settled: 0, failed: 0, undecided: 0 };
  const began = deps.clock.now();
  await takeBackSweeps(deps.db, began);
  const until = began.getTime() + RUN_MS;
  const most = Math.max(1, Math.min(deps.facilitator.capacity ?? SIDE_BY_SIDE, MOST_SIDE_BY_SIDE));
  const running = new Set<Promise<unknown>>();
  try {
    // A payment is leased when its work begins, so that its lease does not run out while it waits for others.
    for (let hasMore = true; hasMore;) {
      const now = deps.clock.now();
      const room = most - running.size;
      const leaseUntil = new Date(now.getTime() + deps.payments.leaseMs);
      const rows = await leaseDue(deps.db, room, { now, leaseUntil });
      for (const row of rows) {
        const one: Promise<unknown> = sweepOne(deps, row)
          .then((outcome) => (result[outcome] += 1))
          .finally(() => running.delete(one));
        running.add(one);
      }
      hasMore = rows.length === room && !stopping?.aborted && deps.clock.now().getTime() < until;
      if (hasMore) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  return result;
}

async function sweepOne(deps: PaymentDeps, row: PaymentRow): Promise<keyof SweepResult> {
  try {
    if (row.state === 'failed') return await watch(deps, row);
    const result = await resolvePayment(deps, row, 'settle');
    if (result.outcome !== 'unknown') return result.outcome;
    await backOff(deps, row, result.reason);
  } catch (error) {
    deps.log.error({ ...idsOf(row), err: error }, 'sweeping a payment failed');
    await backOff(deps, row, null).catch((cause: unknown) => {
      deps.log.error({ ...idsOf(row), err: cause }, 'the lease of a payment was not released and will expire');
    });
  }
  return 'undecided';
}

/** Asks whether a failed payment has executed after all. Such a payment is booked as owed back to its payer. */
async function watch(deps: PaymentDeps, row: PaymentRow): Promise<keyof SweepResult> {
  try {
    const seen = await deps.chain.authorization(authorizationQuery(row));
    if (seen.state === 'paid') {
      return (await bookPayment(deps, row, seen)) === null ? 'failed' : 'settled';
    }
    if (seen.state === 'dead') {
      await withTransaction(deps.db, async (tx) => {
        await stopWatching(tx, row.id);
        await tellLost(deps, tx, row);
      });
      return 'failed';
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
  }
  await backOff(deps, row, null);
  return 'undecided';
}

/** Releases the lease until the next sweep of this payment. */
async function backOff(deps: PaymentDeps, row: PaymentRow, reason: string | null): Promise<void> {
  // A signer that is back pays at once what it kept waiting, however long it was gone.
  const swept = reason !== SIGNER_UNAVAILABLE;
  const backoffMs = swept ? FIRST_BACKOFF_MS * 2 ** Math.min(row.sweeps, 10) : FIRST_BACKOFF_MS;
  const sweepAt = new Date(deps.clock.now().getTime() + Math.min(backoffMs, LONGEST_BACKOFF_MS));
  await releasePayment(deps.db, row, { error: reason, sweepAt, swept });
}

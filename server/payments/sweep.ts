import { bookPayment } from './book-payment.ts';
import { ChainUnavailable } from '../ports/chain.ts';
import { authorizationQuery, drivePayment } from './resolve-payment.ts';
import { leaseDue, releasePayment, stopWatching, type PaymentRow } from './queries.ts';
import type { PaymentDeps } from './deps.ts';

// All of a batch at once, so that none waits behind another while its lease runs.
const BATCH = 4;
// A run of a long backlog ends well before it is taken for one that hangs, and the next one goes on.
const RUN_MS = 5 * 60_000;
const FIRST_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 10 * 60_000;

export type SweepResult = { settled: number; failed: number; undecided: number };

/**
 * Finds out what became of payments that nobody waits for any more: after a crash, a timeout, a facilitator's fault;
 * and watches failed ones until they can no longer execute. Any number of processes may sweep at once. A row that
 * can't be decided, or breaks, comes back later and later and keeps no other from its turn.
 */
export async function sweepPayments(deps: PaymentDeps, stopping?: AbortSignal): Promise<SweepResult> {
  const result = { settled: 0, failed: 0, undecided: 0 };
  const until = deps.clock.now().getTime() + RUN_MS;
  for (;;) {
    const now = deps.clock.now();
    const rows = await leaseDue(deps.db, BATCH, now, new Date(now.getTime() + deps.payments.leaseMs));
    const outcomes = await Promise.all(rows.map((row) => sweepOne(deps, row)));
    for (const outcome of outcomes) result[outcome] += 1;
    if (rows.length < BATCH || stopping?.aborted || deps.clock.now().getTime() >= until) return result;
  }
}

async function sweepOne(deps: PaymentDeps, row: PaymentRow): Promise<keyof SweepResult> {
  try {
    if (row.state === 'failed') return await watch(deps, row);
    const result = await drivePayment(deps, row, 'settle');
    if (result.outcome !== 'unknown') return result.outcome;
    await comeBack(deps, row, result.reason);
  } catch (error) {
    deps.log.error({ paymentId: row.id, err: error }, 'sweeping a payment failed');
    await comeBack(deps, row, null).catch((cause: unknown) => {
      deps.log.error({ paymentId: row.id, err: cause }, 'its lease could not be given back and runs out by itself');
    });
  }
  return 'undecided';
}

/** A failed payment: it should never execute. When it does all the same, the money is booked as owed back. */
async function watch(deps: PaymentDeps, row: PaymentRow): Promise<keyof SweepResult> {
  try {
    const seen = await deps.chain.authorization(authorizationQuery(row));
    if (seen.state === 'paid') {
      await bookPayment(deps, row, seen);
      return 'settled';
    }
    if (seen.state === 'dead') {
      await stopWatching(deps.db, row.id, deps.clock.now());
      return 'failed';
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
  }
  await comeBack(deps, row, null);
  return 'undecided';
}

async function comeBack(deps: PaymentDeps, row: PaymentRow, reason: string | null): Promise<void> {
  const now = deps.clock.now();
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(row.sweeps, 10), LONGEST_BACKOFF_MS);
  const sweepAt = new Date(now.getTime() + backoffMs);
  await releasePayment(deps.db, row, { error: reason, now, sweepAt, swept: true });
}

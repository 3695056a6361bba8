import { setTimeout as sleep } from 'node:timers/promises';
import { isSettled } from './book-payment.ts';
import { drivePayment, type DriveMode, type DriveResult } from './resolve-payment.ts';
import { findPayment, releasePayment, takeLease, type PaymentRow } from './queries.ts';
import type { PaymentDeps } from './deps.ts';

/** How long a request may still wait. */
export type Wait = { signal: AbortSignal; over: Promise<'over'> };

export function startWait(waitMs: number): Wait {
  const signal = AbortSignal.timeout(waitMs);
  const over = new Promise<'over'>((resolve) =>
    signal.addEventListener('abort', () => resolve('over'), { once: true }),
  );
  return { signal, over };
}

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;
// A facilitator may have broadcast what it did not tell; a settlement is asked for again once that had time to be mined.
const SETTLE_AGAIN_MS = 4_000;
const SWEEP_AFTER_MS = 10_000;

/** A row's outcome within the wait: whoever holds its lease finds it out; this request does when the lease has run out. */
export async function outcomeOf(deps: PaymentDeps, row: PaymentRow, wait: Wait): Promise<DriveResult> {
  const pauses = growingPauses();
  for (let seen: PaymentRow | null = row; ; seen = await findPayment(deps.db, row.id)) {
    const decided = readOutcome(seen);
    if (decided) return decided;
    const now = deps.clock.now();
    if (seen && (seen.leaseUntil === null || seen.leaseUntil <= now)) {
      // Of several that find it run out, one gets it.
      const leased = await takeLease(deps.db, row.id, now, new Date(now.getTime() + deps.payments.leaseMs));
      if (leased) return await driveUntilKnown(deps, leased, 'settle', wait);
    }
    if (!(await pause(pauses.next().value, wait))) return { outcome: 'unknown', reason: 'driven_elsewhere' };
  }
}

function readOutcome(row: PaymentRow | null): DriveResult | null {
  if (isSettled(row)) return { outcome: 'settled', payment: row, delivered: false };
  if (row?.state === 'failed') return { outcome: 'failed', reason: row.error ?? 'settlement_failed', txHash: '' };
  return null;
}

/** Finds out the outcome of a row whose lease the caller holds: the claim itself gives it. */
export async function driveUntilKnown(
  deps: PaymentDeps,
  row: PaymentRow,
  firstMode: DriveMode,
  wait: Wait,
): Promise<DriveResult> {
  const pauses = growingPauses();
  let mode = firstMode;
  let sinceSettleMs = 0;
  for (;;) {
    const driving = drivePayment(deps, row, mode);
    const result = await Promise.race([driving, wait.over]);
    if (result === 'over') {
      // It goes on under the lease, and the row keeps what it finds.
      void driving
        .then((late) => giveBackUndecided(deps, row, late))
        .catch((error: unknown) => {
          deps.log.error({ paymentId: row.id, err: error }, 'settling a payment failed');
        });
      return { outcome: 'unknown', reason: 'still_settling' };
    }
    if (result.outcome !== 'unknown') return result;
    const decided = readOutcome(await findPayment(deps.db, row.id));
    if (decided) return decided;
    const pauseMs = pauses.next().value;
    if (!(await pause(pauseMs, wait))) {
      await giveBackUndecided(deps, row, result);
      return result;
    }
    sinceSettleMs += pauseMs;
    mode = sinceSettleMs >= SETTLE_AGAIN_MS ? 'settle' : 'look';
    if (mode === 'settle') sinceSettleMs = 0;
  }
}

/** So that the next request, or the sweeper, need not wait for the lease to run out. */
async function giveBackUndecided(deps: PaymentDeps, row: PaymentRow, result: DriveResult): Promise<void> {
  if (result.outcome !== 'unknown') return;
  const now = deps.clock.now();
  const sweepAt = new Date(now.getTime() + SWEEP_AFTER_MS);
  await releasePayment(deps.db, row, { error: result.reason, now, sweepAt, swept: false });
}

function* growingPauses(): Generator<number, never> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) yield pauseMs;
}

/** False when the wait is over. */
async function pause(pauseMs: number, wait: Wait): Promise<boolean> {
  return await sleep(pauseMs, true, { signal: wait.signal }).catch(() => false);
}

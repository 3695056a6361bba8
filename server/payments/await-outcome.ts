import { setTimeout as sleep } from 'node:timers/promises';
import { isSettled } from './book-payment.ts';
import { isLeased, takeLease } from './lease-queries.ts';
import { findPayment, type PaymentRow, releasePayment } from './queries.ts';
import { type Resolution, type ResolveMode, resolvePayment } from './resolve-payment.ts';
import { waitsForSigner } from './sign-payout.ts';
import type { Chain } from '../chain/types.ts';
import { idsOf, type PaymentDeps } from './deps.ts';

/** How long a request may still wait. */
export type Wait = { signal: AbortSignal; over: Promise<'over'> };

const LOOK_MS = 500;
/** A request does not wait for a node that has been silent for this long. */
const SILENT_MS = 2_000;
/** How long a request waits for a payment that another request or process resolves. */
const OTHERS_WAIT_MS = 4_500;

export function startWait(waitMs: number): Wait {
  return waitFor(AbortSignal.timeout(waitMs));
}

/** Starts a wait that is over earlier once the node does not answer (docs/decisions.md, 3). `end` stops its timer. */
export function startChainWait(
  waitMs: number,
  chain: Pick<Chain, 'silentMs'>,
  lookMs = LOOK_MS,
): Wait & { end(): void } {
  const silent = new AbortController();
  let looks = 0;
  const timer = setInterval(() => {
    // A busy process may not have read the answer yet, so one look is not enough.
    looks = chain.silentMs() >= SILENT_MS ? looks + 1 : 0;
    if (looks > 1) silent.abort();
  }, lookMs).unref();
  const signal = AbortSignal.any([AbortSignal.timeout(waitMs), silent.signal]);
  return { ...waitFor(signal), end: () => clearInterval(timer) };
}

function waitFor(signal: AbortSignal): Wait {
  const over = new Promise<'over'>((resolve) =>
    signal.addEventListener('abort', () => resolve('over'), { once: true }),
  );
  return { signal, over };
}

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;
// A facilitator may have broadcast a transaction that it did not report. After this time that transaction is mined, so
// settling again is useful.
const SETTLE_AGAIN_MS = 4_000;
const SWEEP_AFTER_MS = 10_000;

/**
 * Waits for the outcome of a payment. The holder of the row's lease resolves the payment; this request does so itself once
 * the lease has run out. The caller holds no lease.
 */
export async function awaitOutcome(deps: PaymentDeps, row: PaymentRow, wait: Wait): Promise<Resolution> {
  const pauses = growingPauses();
  const patience = AbortSignal.any([wait.signal, AbortSignal.timeout(OTHERS_WAIT_MS)]);
  for (let seen: PaymentRow | null = row; ; seen = await findPayment(deps.db, row.id)) {
    const decided = readOutcome(seen);
    if (decided) return decided;
    const now = deps.clock.now();
    if (seen && !isLeased(seen, now)) {
      // Several requests can find that the lease has run out. One of them gets it.
      const leaseUntil = new Date(now.getTime() + deps.payments.leaseMs);
      const leased = await takeLease(deps.db, row.id, { now, leaseUntil });
      if (leased) return await resolveUntilKnown(deps, leased, 'settle', wait);
    }
    if (!(await pause(pauses.next().value, patience))) return { outcome: 'unknown', reason: 'resolved_elsewhere' };
  }
}

function readOutcome(row: PaymentRow | null): Resolution | null {
  if (isSettled(row)) return { outcome: 'settled', payment: row, delivered: false };
  if (row?.state === 'failed') return { outcome: 'failed', reason: row.error ?? 'settlement_failed', txHash: '' };
  return null;
}

/** Resolves a payment again and again, within the wait. The caller holds the row's lease: a claim takes it too. */
export async function resolveUntilKnown(
  deps: PaymentDeps,
  row: PaymentRow,
  firstMode: ResolveMode,
  wait: Wait,
): Promise<Resolution> {
  const pauses = growingPauses();
  let mode = firstMode;
  let sinceSettleMs = 0;
  for (;;) {
    const resolving = resolvePayment(deps, row, mode);
    const result = await Promise.race([resolving, wait.over]);
    if (result === 'over') {
      // The attempt goes on under the lease and writes what it finds to the row.
      void resolving
        .then((late) => giveBackUndecided(deps, row, late))
        .catch((error: unknown) => {
          deps.log.error({ ...idsOf(row), err: error }, 'settling a payment failed');
        });
      return { outcome: 'unknown', reason: 'still_settling' };
    }
    if (result.outcome !== 'unknown') return result;
    const decided = readOutcome(await findPayment(deps.db, row.id));
    if (decided) return decided;
    const pauseMs = pauses.next().value;
    if (waitsForSigner(result.reason) || !(await pause(pauseMs, wait.signal))) {
      await giveBackUndecided(deps, row, result);
      return result;
    }
    sinceSettleMs += pauseMs;
    mode = sinceSettleMs >= SETTLE_AGAIN_MS ? 'settle' : 'check';
    if (mode === 'settle') sinceSettleMs = 0;
  }
}

/** Releases the lease early, so that the next request or the sweeper does not wait until it runs out. */
export async function giveBackUndecided(deps: PaymentDeps, row: PaymentRow, result: Resolution): Promise<void> {
  if (result.outcome !== 'unknown') return;
  const sweepAt = new Date(deps.clock.now().getTime() + SWEEP_AFTER_MS);
  await releasePayment(deps.db, row, { error: result.reason, sweepAt, swept: false });
}

function* growingPauses(): Generator<number, never> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) yield pauseMs;
}

/** Resolves to false when the wait is over. */
async function pause(pauseMs: number, signal: AbortSignal): Promise<boolean> {
  return await sleep(pauseMs, true, { signal }).catch(() => false);
}

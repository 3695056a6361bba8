import type { ClaimedTransfer } from './sign-payout.ts';
import { drivePayment } from './resolve-payment.ts';
import type { PaymentDeps } from './deps.ts';
import { releasePayment } from './queries.ts';

const SWEEP_AFTER_MS = 5_000;

/** Settles a transfer that was just claimed. What one look can't decide is the sweeper's from then on. */
export async function drivePayout(deps: PaymentDeps, { row, signed }: ClaimedTransfer): Promise<void> {
  const result = await drivePayment(deps, row, { signed });
  if (result.outcome === 'settled') return;
  const now = deps.clock.now();
  const sweepAt = new Date(now.getTime() + SWEEP_AFTER_MS);
  await releasePayment(deps.db, row, { error: result.reason, now, sweepAt, swept: false });
}

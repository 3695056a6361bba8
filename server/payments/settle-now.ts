import { awaitOutcome, giveBackUndecided, startWait } from './await-outcome.ts';
import type { PaymentDeps } from './deps.ts';
import { findLivePayment, type PaymentRow } from './queries.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { PaymentKind } from './types.ts';

// Less than the time limit of a request.
const WAIT_MS = 10_000;

/** Resolves the settling payment of a subject now. When the outcome stays unknown, the sweeper goes on. */
export async function resolveOpenPayment(
  deps: PaymentDeps,
  subject: { kind: PaymentKind; subjectId: string },
): Promise<void> {
  const { live } = await findLivePayment(deps.db, subject, null);
  if (live?.state === 'settling') await awaitOutcome(deps, live, startWait(WAIT_MS));
}

/** Signs and settles a transfer that was just claimed. When the outcome stays unknown, the sweeper goes on. */
export async function settlePayout(deps: PaymentDeps, row: PaymentRow): Promise<void> {
  await giveBackUndecided(deps, row, await resolvePayment(deps, row, 'pay'));
}

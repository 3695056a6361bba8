import { outcomeOf, startWait } from './await-outcome.ts';
import type { PaymentDeps } from './deps.ts';
import { findLivePayment } from './queries.ts';
import type { PaymentKind } from '../ports/payments.ts';

// Within the time limit of a request.
const WAIT_MS = 10_000;

/** Drives the payment of a subject that is not decided yet, now; what one wait can't decide stays the sweeper's. */
export async function findOut(deps: PaymentDeps, subject: { kind: PaymentKind; subjectId: string }): Promise<void> {
  const { live } = await findLivePayment(deps.db, subject, null);
  if (live?.state === 'settling') await outcomeOf(deps, live, startWait(WAIT_MS));
}

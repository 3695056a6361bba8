import { mustWait } from '../ledger/public.ts';
import { vanishedPayments } from './read-queries.ts';
import type { Queryable } from '../ports/database.ts';
import type { IncomingKind } from '../ports/payments/payments.ts';

const WAITS = {
  reason: 'a settled payment of this project is not on chain any more, and the service settles it again first',
  retryAfterSeconds: 30,
};

/**
 * Waits for payments of these subjects that vanished from the chain. Until they have settled again, nobody knows what is
 * owed back, and nobody should pay for the same project.
 *
 * @throws DomainError INTERNAL_ERROR (503)
 */
export async function requireOnChain(
  db: Queryable,
  { kind, subjectIds }: { kind: IncomingKind; subjectIds: string[] },
  unchanged: Parameters<typeof mustWait>[1],
): Promise<void> {
  const vanished = await vanishedPayments(db);
  const waits = vanished.some((one) => one.isUndecided && one.kind === kind && subjectIds.includes(one.subjectId));
  if (waits) throw mustWait(WAITS, unchanged);
}

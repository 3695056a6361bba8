import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import { recordAlert } from '../events/public.ts';
import { mustWait, reverseJournal } from '../ledger/public.ts';
import { idsOf, type PaymentDeps } from './deps.ts';
import { findPayment, findRefund, lockSettled, markVanished, type PaymentRow } from './queries.ts';
import { unpaidSubjects } from './read-queries.ts';
import { authorizationQuery } from './resolve-payment.ts';
import { isOutgoing } from '../x402/public.ts';
import type { Queryable } from '../db/database.ts';
import type { IncomingKind } from './types.ts';

const VANISHED = 'transfer_vanished';
const MESSAGE =
  'The transfer of a settled payment is not on chain any more. The payment is undecided again. If it came in, the payouts of its project wait until it has settled.';

type VanishedDeps = Pick<PaymentDeps, 'db' | 'clock' | 'newId' | 'chain' | 'log' | 'payments'>;

/**
 * Takes payments back whose transfers the caller did not find on chain: their journals are reversed, and the sweeper settles
 * them again: those into the treasury while their signatures are valid, and those out of it in any case. A payment stays
 * if the chain shows its transaction after all, as in a block that the caller has not read, or if another check was faster.
 * Returns how many were taken back.
 *
 * @throws ChainUnavailable
 */
export async function takeBackVanished(deps: VanishedDeps, ids: string[]): Promise<number> {
  let taken = 0;
  for (const id of ids) {
    const row = await findPayment(deps.db, id);
    if (row?.state !== 'settled' || row.txHash === null) continue;
    const seen = await deps.chain.authorization(authorizationQuery(row));
    if (seen.state === 'paid' && seen.txHash === row.txHash) continue;
    if (await takeBack(deps, row, row.txHash)) taken += 1;
  }
  return taken;
}

async function takeBack(deps: VanishedDeps, known: PaymentRow, txHash: string): Promise<boolean> {
  const { id, kind, subjectId, payer, amountMicro } = known;
  const account = await withTransaction(deps.db, async (tx) => {
    // The payment is locked before its subject, and the accounts last, as by a booking.
    const row = await lockSettled(tx, id, txHash);
    if (row === null) return null;
    const isKept = !isOutgoing(kind) && !row.late && (await deps.payments.subjects[kind].vanished?.(tx, row));
    const hasLeft = isKept || (kind !== 'escrow' && ((await findRefund(tx, id))?.hasLeft ?? false));
    const at = deps.clock.now();
    const credited = await reverseJournal(tx, { id: deps.newId(), paymentId: id, at, hasLeft });
    if (credited === null) throw new NotTakenBack();
    await markVanished(tx, row, { account: credited, error: VANISHED, now: at });
    if (isOutgoing(kind)) await deps.payments.payoutHandlers[kind].vanished(tx, subjectId);
    const subject = `payment:${id}` as const;
    const details = { kind, subject_id: subjectId, payer, amount_micro: amountMicro, tx_hash: txHash };
    await recordAudit(deps, tx, {
      at,
      actor: 'service',
      action: 'payment.take_back',
      subject,
      reason: MESSAGE,
      details,
    });
    await recordAlert(tx, at, { alert: 'ledger_mismatch', subject, message: MESSAGE, details });
    return credited;
  }).catch((error: unknown) => {
    if (error instanceof NotTakenBack) return null;
    throw error;
  });
  if (account !== null)
    deps.log.error(
      { ...idsOf({ id, kind, subjectId }), txHash, account, alert: 'payment_vanished' },
      'a settled payment is not on chain',
    );
  return account !== null;
}

/** Rolls back what the subject wrote for a payment whose journal stays. */
class NotTakenBack extends Error {}

const WAITS = {
  reason: 'a settled payment of this project is not on chain any more, and the service settles it again first',
  retryAfterSeconds: 30,
};
const LOST = {
  reason: 'the prize of this project is not on chain any more, and the service cancels the project',
  retryAfterSeconds: 300,
};

/**
 * Waits for payments of these subjects that vanished from the chain. Until they have settled again, nobody knows what is
 * owed back.
 *
 * @throws DomainError INTERNAL_ERROR (503)
 */
export async function requireOnChain(
  db: Queryable,
  { kind, subjectIds }: { kind: IncomingKind; subjectIds: string[] },
  unchanged: Parameters<typeof mustWait>[1],
): Promise<void> {
  const vanished = await unpaidSubjects(db, kind);
  if (vanished.some((one) => one.isUndecided && subjectIds.includes(one.subjectId))) throw mustWait(WAITS, unchanged);
}

/**
 * Requires that a project holds its prize: nobody pays for a project without one, and nobody wins it.
 *
 * @throws DomainError INTERNAL_ERROR (503)
 */
export async function requirePrize(
  db: Queryable,
  projectId: string,
  unchanged: Parameters<typeof mustWait>[1],
): Promise<void> {
  const vanished = (await unpaidSubjects(db, 'escrow')).filter(({ subjectId }) => subjectId === projectId);
  if (vanished.some(({ isUndecided }) => isUndecided)) throw mustWait(WAITS, unchanged);
  if (vanished.length > 0) throw mustWait(LOST, unchanged);
}

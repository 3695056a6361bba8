import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import type { ChainTransfer } from '../chain/types.ts';
import type { IncomingKind, OutgoingKind } from './types.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { bookPayment } from './book-payment.ts';
import type { PaymentDeps } from './deps.ts';
import { correctTransfer, findByAuthorization, insertPayment, type PaymentRow } from './queries.ts';
import { UNSIGNED } from './sealed-payment.ts';

/** A transfer of the treasury. `nonce`: of the authorization that made it; null for a plain transfer. */
export type AuthorizedTransfer = ChainTransfer & { nonce: string | null };

type RecoveryDeps = PaymentDeps & Pick<Deps, 'network'>;

/** Returns the payment whose authorization made the transfer, or null. */
export async function paymentOfTransfer(
  db: Queryable,
  { network }: Pick<Deps, 'network'>,
  { from, nonce }: AuthorizedTransfer,
): Promise<PaymentRow | null> {
  if (nonce === null) return null;
  const [id, asset] = [network.id, network.usdc.address.toLowerCase()];
  return await findByAuthorization(db, { network: id, asset, payer: from, authNonce: nonce });
}

/** Books a transfer that the chain shows as the payment that it is. Booking it again changes nothing. */
export async function bookTransfer(deps: PaymentDeps, row: PaymentRow, transfer: ChainTransfer): Promise<void> {
  const { txHash, logIndex, blockNumber } = transfer;
  await bookPayment(deps, row, { state: 'paid', txHash, logIndex, blockNumber });
}

/**
 * Books a lost payment for its subject. Returns false if the subject cannot be paid any more, or if another payment
 * pays for it. After a crash between the claim and the booking, the sweeper books the payment.
 */
export async function recoverIncoming(
  deps: RecoveryDeps,
  { kind, subjectId, transfer }: { kind: IncomingKind; subjectId: string; transfer: AuthorizedTransfer },
): Promise<boolean> {
  const subject = deps.payments.subjects[kind];
  const row = await withTransaction(deps.db, async (tx) => {
    if ((await subject.reserve?.(tx, subjectId)) === false) return null;
    const claimed = await insertRecovered(deps, tx, { kind, subjectId, transfer });
    if (claimed === null) throw new Lost();
    return claimed;
  }).catch((error: unknown) => {
    if (error instanceof Lost) return null;
    throw error;
  });
  if (row === null) return false;
  await bookTransfer(deps, row, transfer);
  return true;
}

/** Rolls back the reservation of a claim that came second. */
class Lost extends Error {}

/**
 * Writes the payment of a transfer out of the treasury that the chain shows, in the transaction that marks its payout as
 * being sent. A claim with the same nonce gets the recipient of the transfer: only one of the two can have executed.
 * Returns null if the payout has another payment.
 */
export async function claimPaidOut(
  deps: RecoveryDeps,
  tx: Tx,
  { kind, subjectId, transfer }: { kind: OutgoingKind; subjectId: string; transfer: AuthorizedTransfer },
): Promise<PaymentRow | null> {
  const known = await paymentOfTransfer(tx, deps, transfer);
  if (known === null) return await insertRecovered(deps, tx, { kind, subjectId, transfer });
  if (known.subjectId !== subjectId || known.state === 'settled') return null;
  return await correctTransfer(tx, known.id, { payTo: transfer.to });
}

async function insertRecovered(
  deps: RecoveryDeps,
  tx: Tx,
  payment: { kind: IncomingKind | OutgoingKind; subjectId: string; transfer: AuthorizedTransfer },
): Promise<PaymentRow | null> {
  const { kind, subjectId, transfer } = payment;
  const { from: payer, to: payTo, amountMicro, nonce, blockNumber } = transfer;
  if (nonce === null) throw new RangeError(`transfer ${transfer.txHash} has no authorization`);
  const now = deps.clock.now();
  return await insertPayment(tx, {
    id: deps.newId(),
    kind,
    subjectId,
    network: deps.network.id,
    asset: deps.network.usdc.address.toLowerCase(),
    payer,
    payTo,
    amountMicro,
    authNonce: nonce,
    validBefore: Math.floor(now.getTime() / 1000),
    sealed: UNSIGNED,
    fromBlock: blockNumber,
    forwardedFor: null,
    now,
    leaseUntil: new Date(now.getTime() + deps.payments.leaseMs),
  });
}

import type { Deps } from '../deps.ts';
import type { PaymentDeps } from './deps.ts';
import { insertPayment, type PaymentRow, renewSigned } from './queries.ts';
import { sealPayment } from './sealed-payment.ts';
import { isOutgoing } from '../x402/public.ts';
import type { Tx } from '../ports/database.ts';
import type { X402Payment } from '../ports/facilitator.ts';
import type { OutgoingTransfer } from '../ports/treasury.ts';

/** How long an authorization of the treasury can execute: long enough to outlast an outage of the facilitator. */
const AUTHORIZATION_SECONDS = 3600;

/** A transfer that is signed and whose claim is committed. The facilitator has not been asked for it yet. */
export type ClaimedTransfer = { row: PaymentRow; signed: X402Payment };

/**
 * Signs a transfer out of the treasury. The caller then runs `insert` in the transaction that marks its payout as being
 * sent. `insert` resolves to null when the payout or the nonce has a payment already. A signature without a claim is
 * discarded.
 *
 * @throws ChainUnavailable
 */
export async function claimOutgoing(
  deps: PaymentDeps & Pick<Deps, 'network'>,
  transfer: Pick<OutgoingTransfer, 'kind' | 'subjectId' | 'recipient' | 'amountMicro' | 'nonce'>,
): Promise<{ insert(tx: Tx): Promise<ClaimedTransfer | null> }> {
  const now = deps.clock.now();
  const validBefore = authorizationEnd(now);
  const asset = deps.network.usdc.address;
  const [signed, fromBlock] = await Promise.all([
    deps.treasury.authorize({ ...transfer, network: deps.network.id, asset, validBefore }),
    deps.chain.searchStart(),
  ]);
  return {
    async insert(tx) {
      const id = deps.newId();
      const row = await insertPayment(tx, {
        id,
        kind: transfer.kind,
        subjectId: transfer.subjectId,
        network: deps.network.id,
        asset,
        payer: deps.treasury.address,
        payTo: transfer.recipient,
        amountMicro: transfer.amountMicro,
        authNonce: transfer.nonce,
        validBefore,
        sealed: sealPayment(deps.paymentSeals, id, signed),
        fromBlock,
        forwardedFor: null,
        now,
        leaseUntil: new Date(now.getTime() + deps.payments.leaseMs),
      });
      return row && { row, signed };
    },
  };
}

/**
 * Signs an outgoing payment again, in place, when its authorization has expired. Amount, recipient, and nonce are those of
 * the row, so the token contract executes only one of the signatures. Null when another process has taken the row's lease.
 */
export async function renewAuthorization(deps: PaymentDeps, row: PaymentRow): Promise<PaymentRow | null> {
  const { id, kind, subjectId, network, asset, payTo: recipient, amountMicro, authNonce: nonce } = row;
  if (!isOutgoing(kind)) throw new RangeError(`payment ${id} is not the treasury's to sign`);
  const now = deps.clock.now();
  const validBefore = authorizationEnd(now);
  const transfer = { kind, subjectId, network, asset, recipient, amountMicro, nonce, validBefore };
  const signed = await deps.treasury.authorize(transfer);
  const sealed = sealPayment(deps.paymentSeals, id, signed);
  return await renewSigned(deps.db, row, { sealed, validBefore, now });
}

/** Unix seconds. */
function authorizationEnd(now: Date): number {
  return Math.floor(now.getTime() / 1000) + AUTHORIZATION_SECONDS;
}

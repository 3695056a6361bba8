import type { Deps } from '../deps.ts';
import type { PaymentDeps } from './deps.ts';
import type { X402Payment } from '../ports/facilitator.ts';
import { keepSigned } from './sealed-payment.ts';
import { insertPayment, type PaymentRow } from './queries.ts';
import { AUTHORIZATION_SECONDS } from './renew-authorization.ts';
import type { Tx } from '../ports/database.ts';
import type { OutgoingTransfer } from '../ports/treasury.ts';

/** Committed and signed, and nobody has asked the facilitator for it yet. */
export type ClaimedTransfer = { row: PaymentRow; signed: X402Payment };

/**
 * Signs a transfer out of the treasury. `insert` claims it, in the transaction that marks its payout as being sent: null
 * when the payout or the nonce has a payment already. What is signed and not claimed is thrown away.
 *
 * @throws ChainUnavailable
 */
export async function claimOutgoing(
  deps: PaymentDeps & Pick<Deps, 'network'>,
  wanted: Pick<OutgoingTransfer, 'kind' | 'subjectId' | 'recipient' | 'amountMicro' | 'nonce'>,
): Promise<{ insert(tx: Tx): Promise<ClaimedTransfer | null> }> {
  const now = deps.clock.now();
  const validBefore = Math.floor(now.getTime() / 1000) + AUTHORIZATION_SECONDS;
  const asset = deps.network.usdc.address;
  const [signed, fromBlock] = await Promise.all([
    deps.treasury.authorize({ ...wanted, network: deps.network.id, asset, validBefore }),
    deps.chain.searchStart(),
  ]);
  return {
    async insert(tx) {
      const id = deps.newId();
      const row = await insertPayment(tx, {
        id,
        kind: wanted.kind,
        subjectId: wanted.subjectId,
        network: deps.network.id,
        asset,
        payer: deps.treasury.address,
        payTo: wanted.recipient,
        amountMicro: wanted.amountMicro,
        authNonce: wanted.nonce,
        validBefore,
        kept: keepSigned(deps.paymentSeals, id, signed),
        fromBlock,
        forwardedFor: null,
        now,
        leaseUntil: new Date(now.getTime() + deps.payments.leaseMs),
      });
      return row && { row, signed };
    },
  };
}

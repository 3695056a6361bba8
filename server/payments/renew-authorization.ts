import { keepSigned } from './sealed-payment.ts';
import { renewSigned, type PaymentRow } from './queries.ts';
import { isOutgoing } from '../x402/public.ts';
import type { PaymentDeps } from './deps.ts';

/** How long an authorization of the treasury can execute: long enough for a facilitator that is down for a while. */
export const AUTHORIZATION_SECONDS = 3600;

/**
 * Signs an outgoing payment again, in place, when its authorization is over. Amount, address and nonce are those of the
 * row: whichever of the signatures executes, the token contract lets it happen once. Null when somebody else has the
 * row's lease by now.
 */
export async function renewAuthorization(deps: PaymentDeps, row: PaymentRow): Promise<PaymentRow | null> {
  const { id, kind, subjectId, network, asset, payTo: recipient, amountMicro, authNonce: nonce } = row;
  if (!isOutgoing(kind)) throw new RangeError(`payment ${id} is not the treasury's to sign`);
  const now = deps.clock.now();
  const validBefore = Math.floor(now.getTime() / 1000) + AUTHORIZATION_SECONDS;
  const transfer = { kind, subjectId, network, asset, recipient, amountMicro, nonce, validBefore };
  const signed = await deps.treasury.authorize(transfer);
  const kept = keepSigned(deps.paymentSeals, id, signed);
  return await renewSigned(deps.db, row, { kept, validBefore, now });
}

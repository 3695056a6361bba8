import { z } from 'zod';
import type { PaymentPayloadV1 } from '@x402/core/types/v1';
import type { X402Payment } from './types.ts';
import { requirementsV1, requirementsV2, resourceInfo } from './quote.ts';
import type { PresentedPayment, PaymentQuote } from '../payments/types.ts';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const uint = z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/);
// An account signs with 65 bytes; contract wallets (ERC-1271, ERC-6492) send more.
const signature = z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,3000}$/);

/** The part of a payload that the scheme `exact` defines for EIP-3009. */
export const eip3009Payload = z.object({
  signature,
  authorization: z.object({
    from: address,
    to: address,
    value: uint,
    validAfter: uint,
    // The column holds a safe integer. Larger values lie 285 million years ahead.
    validBefore: uint.refine((value) => Number.isSafeInteger(Number(value))),
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
});

export type AuthorizationKey = { network: string; asset: string; payer: string; authNonce: string };

/** Identifies an authorization, spelled as in the unique index payments_authorization. */
export function authorizationKey(
  quote: Pick<PaymentQuote, 'network' | 'asset'>,
  presented: PresentedPayment,
): AuthorizationKey {
  return {
    network: quote.network,
    asset: quote.asset,
    payer: presented.authorization.from.toLowerCase(),
    authNonce: presented.authorization.nonce.toLowerCase(),
  };
}

/**
 * Returns why a payment does not match the quote, or null. It compares the requirements only; the facilitator checks the
 * signature.
 */
export function mismatch(quote: PaymentQuote, presented: PresentedPayment): string | null {
  const expected = requirementsV2(quote);
  const network = presented.x402Version === 2 ? expected.network : requirementsV1(quote).network;
  if (presented.scheme !== expected.scheme) return 'the scheme is not "exact"';
  if (presented.network !== network) return `the network is not ${network}`;
  const { accepted, authorization } = presented;
  if (accepted) {
    if (!sameAddress(accepted.asset, quote.asset)) return 'the asset is not the one asked for';
    if (accepted.amount !== expected.amount) return 'the amount is not the one asked for';
    if (!sameAddress(accepted.payTo, quote.payTo)) return 'the recipient is not the one asked for';
    if (accepted.maxTimeoutSeconds !== expected.maxTimeoutSeconds) return 'the timeout is not the one asked for';
    const { extra } = accepted;
    if (extra && (extra['name'] !== expected.extra['name'] || extra['version'] !== expected.extra['version'])) {
      return 'the token name and version are not the ones asked for';
    }
  }
  if (authorization.value !== expected.amount) return 'the signed amount is not the one asked for';
  if (!sameAddress(authorization.to, quote.payTo)) return 'the signed recipient is not the one asked for';
  return null;
}

function sameAddress(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/**
 * Returns the payment as the facilitator and the payment's row get it. It is rebuilt from our own quote and the checked
 * authorization, so that nothing else from the client is passed on.
 */
export function facilitatorPayment(quote: PaymentQuote, presented: PresentedPayment): X402Payment {
  const { authorization, signature: signed } = presented;
  const payload = { signature: signed, authorization };
  if (presented.x402Version === 2) {
    const requirements = requirementsV2(quote);
    return {
      x402Version: 2,
      payload: { x402Version: 2, resource: resourceInfo(quote), accepted: requirements, payload },
      requirements,
    };
  }
  const requirements = requirementsV1(quote);
  const payloadV1: PaymentPayloadV1 = { x402Version: 1, scheme: 'exact', network: requirements.network, payload };
  return { x402Version: 1, payload: payloadV1, requirements };
}

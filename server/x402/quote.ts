import { getAddress } from 'viem';
import type { PaymentRequired, PaymentRequirements, ResourceInfo } from '@x402/core/types';
import type { PaymentRequirementsV1 } from '@x402/core/types/v1';
import { networks } from '../chain/public.ts';
import type { OutgoingKind, PaymentKind, PaymentQuote } from '../payments/types.ts';
import type { Network } from '../chain/types.ts';

/** Whether the treasury pays. */
export function isOutgoing(kind: PaymentKind): kind is OutgoingKind {
  return kind === 'payout' || kind === 'refund';
}

/** How long an authorization that answers a quote lives. */
export const MAX_TIMEOUT_SECONDS = 300;

/** The quote for an x402 v2 client. The amount is an atomic integer as text, so that no code parses or rounds it. */
export function requirementsV2(quote: PaymentQuote): PaymentRequirements {
  const network = networkOf(quote);
  return {
    scheme: 'exact',
    network: network.id,
    amount: String(quote.amountMicro),
    asset: getAddress(quote.asset),
    payTo: getAddress(quote.payTo),
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: { name: network.usdc.name, version: network.usdc.version },
  };
}

/** The quote for an x402 v1 client. */
export function requirementsV1(quote: PaymentQuote): PaymentRequirementsV1 {
  const network = networkOf(quote);
  return {
    scheme: 'exact',
    // The type says CAIP-2; on the wire v1 networks have plain names.
    network: network.v1Name as PaymentRequirementsV1['network'],
    maxAmountRequired: String(quote.amountMicro),
    resource: quote.resourceUrl,
    description: quote.description,
    mimeType: 'application/json',
    outputSchema: {},
    payTo: getAddress(quote.payTo),
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    asset: getAddress(quote.asset),
    extra: { name: network.usdc.name, version: network.usdc.version },
  };
}

/** The whole v2 part of a 402. */
export function paymentRequiredV2(quote: PaymentQuote, error: string): PaymentRequired {
  return { x402Version: 2, error, resource: resourceInfo(quote), accepts: [requirementsV2(quote)] };
}

export function resourceInfo(quote: PaymentQuote): ResourceInfo {
  return { url: quote.resourceUrl, description: quote.description, mimeType: 'application/json' };
}

/** @throws RangeError for an unknown network */
export function networkOf(quote: Pick<PaymentQuote, 'network'>): Network {
  const known: Record<string, Network> = networks;
  const network = known[quote.network];
  if (!network) throw new RangeError(`unknown payment network ${quote.network}`);
  return network;
}

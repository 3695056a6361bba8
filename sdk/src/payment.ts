import { ConcoursError } from './errors.ts';
import { usdcOf } from './money.ts';
import type { Refusal, Request, Service } from './service.ts';
import { base64Of, hexOf, utf8, textOfBase64 } from './text.ts';
import { type Hex, type TransferAuthorization, type Wallet, type WalletOption, walletOf } from './wallet.ts';
import type { Network } from './wire.ts';

/** The price that the caller agrees to pay, and the subject of the payment. */
export type Price = {
  /** The submission or project that is paid for. */
  subjectId: string;
  amountMicro: number;
  maxMicro: number;
};

/** One of the ways to pay that a 402 offers (x402 v2). */
type Offer = {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra?: { name?: string; version?: string };
};
type PaymentRequired = { x402Version: number; resource?: unknown; accepts: Offer[] };
type Signed = { header: string; endsAtMs: number };

export type Payer = { wallet: WalletOption | undefined; onSign?: (amountMicro: number) => void };

/** The real USDC. A service on Base that asks for another token wants something else than the caller agreed to. */
const KNOWN_USDC: Record<string, string> = { 'eip155:8453': '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' };

/** The most signatures of a call that may end before the service answers. */
const MOST_TRIES = 5;
/** The most failed transfers of one subject. A service that lies could execute them all, so they are few. */
const MOST_FAILED = 10;
/** A facilitator refuses an authorization that ends within seconds. */
const MARGIN_MS = 15_000;

/**
 * Sends a request that may cost something. It first sends the request without a payment, because the service never
 * answers 402 while a payment is open or after one is settled. It then signs one transfer: see `nonceOf`. It signs the
 * next one only if the service says that this one can pay for nothing any more.
 */
export async function callPaid<T>(
  service: Service,
  path: string,
  { price, payer, request }: { price: Price; payer: Payer; request: Request },
): Promise<T> {
  const asked = await service.exchange<T>('POST', path, request);
  if (!asked.error) return asked.data;
  if (asked.error.code !== 'PAYMENT_REQUIRED') throw asked.error;
  const network = await service.call<Network>('GET', '/network', { signal: request.signal, onWait: request.onWait });
  const required = readRequired(asked.headers);
  const offer = fittingOffer(required, network, price);
  const skewMs = skewOf(asked.headers);
  const wallet = await walletOf(payer.wallet);
  payer.onSign?.(price.amountMicro);
  let attempt: Attempt = { transfer: 0, tries: 1 };
  for (;;) {
    const { transfer } = attempt;
    const signed = await sign(wallet, offer, { required, subjectId: price.subjectId, transfer, skewMs });
    const headers = { ...request.headers, 'payment-signature': signed.header };
    const paid = await service.exchange<T>('POST', path, { ...request, headers });
    if (!paid.error) return paid.data;
    const next = nextAttempt(paid, attempt, Date.now() + skewMs > signed.endsAtMs - MARGIN_MS);
    if (next === null) throw paid.error;
    attempt = next;
  }
}

/** `tries` does not count failed transfers: each call meets the same ones again, and must get past them. */
type Attempt = { transfer: number; tries: number };

/**
 * Returns which transfer to sign after a refusal: the same one again if its signature has ended meanwhile, the next one
 * if the service says that this one failed before, and null if the caller must act.
 */
function nextAttempt(
  { error, authorizationFailed }: Refusal,
  { transfer, tries }: Attempt,
  hasEnded: boolean,
): Attempt | null {
  if (error.code !== 'PAYMENT_FAILED') return null;
  if (authorizationFailed) return transfer < MOST_FAILED ? { transfer: transfer + 1, tries } : null;
  return hasEnded && tries < MOST_TRIES ? { transfer, tries: tries + 1 } : null;
}

function readRequired(headers: Headers): PaymentRequired {
  try {
    const required = JSON.parse(textOfBase64(headers.get('payment-required') ?? '')) as PaymentRequired;
    if (required.x402Version === 2 && Array.isArray(required.accepts)) return required;
  } catch {
    // Answered below.
  }
  throw new ConcoursError('BAD_ANSWER', 'The 402 has no x402 v2 header PAYMENT-REQUIRED.', { status: 402 });
}

/** @throws ConcoursError PAYMENT_MISMATCH, FEE_TOO_HIGH: before anything is signed */
function fittingOffer({ accepts }: PaymentRequired, network: Network, price: Price): Offer {
  const { usdc, pay_to: payTo } = network;
  const known = KNOWN_USDC[network.network];
  if (known !== undefined && !same(known, usdc.address))
    throw mismatch(`${usdc.address} is not USDC on ${network.network}`);
  const offer = accepts.find(({ scheme, network: id }) => scheme === 'exact' && id === network.network);
  if (!offer) throw mismatch(`no transfer on ${network.network}`);
  if (!same(offer.asset, usdc.address)) throw mismatch(`the token ${offer.asset} instead of ${usdc.address}`);
  if (!same(offer.payTo, payTo)) throw mismatch(`the recipient ${offer.payTo} instead of ${payTo}`);
  if (offer.amount !== String(price.amountMicro))
    throw mismatch(`${offer.amount} microdollars instead of ${price.amountMicro}`);
  requireAffordable(price);
  return offer;
}

/** @throws ConcoursError FEE_TOO_HIGH */
export function requireAffordable({ amountMicro, maxMicro }: Pick<Price, 'amountMicro' | 'maxMicro'>): void {
  if (amountMicro <= maxMicro) return;
  const message = `The price is ${usdcOf(amountMicro)} USDC, more than your maximum of ${usdcOf(maxMicro)} USDC. Nothing was signed.`;
  throw new ConcoursError('FEE_TOO_HIGH', message);
}

function mismatch(what: string): ConcoursError {
  return new ConcoursError('PAYMENT_MISMATCH', `The request for payment asks for ${what}. Nothing was signed.`);
}

function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** How far the service's clock is ahead, in milliseconds. In a browser the header may be hidden: then 0. */
function skewOf(headers: Headers): number {
  const serviceMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(serviceMs) ? 0 : serviceMs - Date.now();
}

type SigningContext = { required: PaymentRequired; subjectId: string; transfer: number; skewMs: number };

async function sign(
  wallet: Wallet,
  offer: Offer,
  { required, subjectId, transfer, skewMs }: SigningContext,
): Promise<Signed> {
  const endsAt = Math.floor((Date.now() + skewMs) / 1000) + offer.maxTimeoutSeconds;
  const nonce = await nonceOf(wallet, offer, subjectId, transfer);
  const message: TransferAuthorization['message'] = {
    from: wallet.address,
    to: offer.payTo as Hex,
    value: BigInt(offer.amount),
    validAfter: 0n,
    validBefore: BigInt(endsAt),
    nonce,
  };
  const signature = await wallet.signTypedData({
    domain: {
      name: offer.extra?.name ?? '',
      version: offer.extra?.version ?? '',
      chainId: Number(offer.network.split(':')[1]),
      verifyingContract: offer.asset as Hex,
    },
    types: { TransferWithAuthorization: TRANSFER },
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const authorization = {
    ...message,
    value: offer.amount,
    validAfter: '0',
    validBefore: String(endsAt),
  };
  const payment = {
    x402Version: 2,
    resource: required.resource,
    accepted: offer,
    payload: { signature, authorization },
  };
  return { header: base64Of(utf8(JSON.stringify(payment))), endsAtMs: endsAt * 1000 };
}

const TRANSFER = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];

/**
 * The nonce follows from the subject, so that every process of an agent signs the same transfer. USDC executes a nonce
 * once: a wallet cannot pay twice for one subject, whatever answers were lost. `transfer` counts the transfers before this
 * one. The service has said of each that it pays for nothing, and that its money goes back.
 */
async function nonceOf(wallet: Wallet, offer: Offer, subjectId: string, transfer: number): Promise<Hex> {
  const { network, asset, payTo, amount } = offer;
  const parts = ['concours-payment/1', subjectId, network, asset, payTo, amount, wallet.address, transfer];
  const digest = await crypto.subtle.digest('SHA-256', utf8(parts.join('\n').toLowerCase()));
  return `0x${hexOf(digest)}`;
}

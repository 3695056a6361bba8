import { randomBytes } from 'node:crypto';
import type { Answer } from '../clients/client.ts';

const ADDRESS = '0x00000000000000000000000000000000000000ab';

/**
 * Returns the header of a payment that fits the price in a 402 and that nobody signed. The facilitator refuses it, so it
 * counts as a failed payment.
 */
export function forgedPayment({ headers }: Answer, now: Date): Record<string, string> {
  const required = JSON.parse(Buffer.from(headers.get('payment-required') ?? '', 'base64').toString()) as {
    accepts: { payTo: string; amount: string }[];
  };
  const [accepted] = required.accepts;
  const authorization = {
    from: ADDRESS,
    to: accepted?.payTo,
    value: accepted?.amount,
    validAfter: '0',
    validBefore: String(Math.floor(now.getTime() / 1000) + 300),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  };
  const payload = { x402Version: 2, accepted, payload: { authorization, signature: `0x${'0'.repeat(130)}` } };
  return { 'payment-signature': Buffer.from(JSON.stringify(payload)).toString('base64') };
}

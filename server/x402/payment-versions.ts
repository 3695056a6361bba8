import type { PaymentPayloadV1, PaymentRequirementsV1 } from '@x402/core/types/v1';
import type { Network } from '../chain/types.ts';
import type { X402Payment } from './types.ts';

/** Returns a payment in the words of another version. The signed authorization stays the same. */
export function asVersion(payment: X402Payment, version: 1 | 2, { id, v1Name }: Network): X402Payment {
  if (payment.x402Version === version) return payment;
  const { payload } = payment.payload;
  if (payment.x402Version === 1) {
    const {
      maxAmountRequired: amount,
      resource: url,
      description,
      mimeType,
      outputSchema: _,
      ...same
    } = payment.requirements;
    const requirements = { ...same, network: id, amount };
    const resource = { url, description, mimeType };
    return { x402Version: 2, payload: { x402Version: 2, resource, accepted: requirements, payload }, requirements };
  }
  const { amount: maxAmountRequired, ...same } = payment.requirements;
  const { url: resource = '', description = '', mimeType = 'application/json' } = payment.payload.resource ?? {};
  // The types say CAIP-2; on the wire v1 networks have plain names.
  const network = v1Name as PaymentRequirementsV1['network'];
  const about = { resource, description, mimeType, outputSchema: {} };
  const requirements: PaymentRequirementsV1 = { ...same, ...about, network, maxAmountRequired };
  const payloadV1: PaymentPayloadV1 = { x402Version: 1, scheme: 'exact', network, payload };
  return { x402Version: 1, payload: payloadV1, requirements };
}

const NOBODY = `0x${'00'.repeat(19)}01`;

/** A payment that is well formed and pays nothing: it is over, and nobody has signed it. */
export function worthlessPayment({ id, usdc }: Network): X402Payment {
  const requirements = {
    scheme: 'exact',
    network: id,
    amount: '1',
    asset: usdc.address,
    payTo: NOBODY,
    maxTimeoutSeconds: 60,
    extra: { name: usdc.name, version: usdc.version },
  };
  const times = { validAfter: '0', validBefore: '1' };
  const authorization = { from: NOBODY, to: NOBODY, value: '1', ...times, nonce: `0x${'00'.repeat(32)}` };
  const payload = { signature: `0x${'00'.repeat(65)}`, authorization };
  return { x402Version: 2, payload: { x402Version: 2, accepted: requirements, payload }, requirements };
}

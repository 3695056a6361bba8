import { z } from 'zod';

// The protocol between the service and its signer: HTTP with JSON bodies, over a Unix socket or mTLS. A change that an older
// side does not understand gets a new version.

export const VERSION_PATH = '/v1';
/** A request has less than 1 kB. */
export const MAX_BODY_BYTES = 4_096;
/** Longer than a signature takes while the signer's database is slow. */
export const TIMEOUT_MS = 8_000;

const address = z.string().regex(/^0x[0-9a-f]{40}$/);

/** One transfer, as the service claimed it. The signer compares every field with the database and its own settings. */
export const signRequest = z.strictObject({
  kind: z.enum(['payout', 'refund']),
  payout_id: z.uuid(),
  network: z.string().max(40),
  asset: address,
  recipient: address,
  amount_micro: z.int().positive(),
  nonce: z.string().regex(/^0x[0-9a-f]{64}$/),
  valid_before: z.int().positive(),
});
export type SignRequest = z.output<typeof signRequest>;

/** 200: the signature of the EIP-3009 authorization. */
export const signAnswer = z.object({ signature: z.string().regex(/^0x[0-9a-f]{130}$/) });
/** 400 and 403: a refusal. */
export const refusalAnswer = z.object({ code: z.string().max(40), message: z.string().max(500) });
/** 200 of `GET /v1/health`. */
export const healthAnswer = z.object({ address });

/** Why the signer does not sign. `code` is one word for programs. */
export type SignerRefusal = z.output<typeof refusalAnswer>;

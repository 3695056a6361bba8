type Json = Record<string, unknown>;

/** Response headers, as components of the document. */
export const HEADERS: Record<string, Json> = {
  'X-RateLimit-Limit': { description: 'Requests per window of the tightest limit', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Unix time at which the window ends', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description:
      'Every limit of the request: `"name";q=<requests per window>;w=<window in seconds>`, separated by commas',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'The state of every limit: `"name";r=<requests left>;t=<seconds until the reset>`, separated by commas',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same Idempotency-Key',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds until a retry can succeed', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The session, or its end; HttpOnly, SameSite=Lax', schema: { type: 'string' } },
  'PAYMENT-REQUIRED': {
    description: 'x402 version 2 requirements with a signed offer: base64 JSON of `PaymentRequiredV2`',
    schema: {
      type: 'string',
      contentEncoding: 'base64',
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/PaymentRequiredV2' },
    },
  },
  'PAYMENT-RESPONSE': {
    description: 'x402 version 2 outcome of a payment, with a signed receipt if it was taken, base64 JSON',
    schema: { type: 'string' },
  },
  'X-PAYMENT-RESPONSE': { description: 'The same in version 1', schema: { type: 'string' } },
};
export const LIMITS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];
export const RECEIPTS = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'];

/** Response headers of failures, by status. Limit headers come with every failure that the caller caused. */
export const FAILURE_HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  402: ['PAYMENT-REQUIRED', ...RECEIPTS],
  // While another request with the same Idempotency-Key is running.
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export const paymentHeaders: Json[] = [
  {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description: 'x402 version 2 payment, base64 JSON',
    schema: { type: 'string' },
  },
  {
    name: 'X-PAYMENT',
    in: 'header',
    required: false,
    description: 'x402 version 1 payment, base64 JSON',
    schema: { type: 'string' },
  },
];

export const idempotencyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Sent again with the same key and body within 24 hours, the request is answered as it was and not done a second time; with another body it is refused. A random UUID is best.',
  schema: { type: 'string', maxLength: 255 },
};

export function headersOf(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

import { z } from 'zod';
import { placesFields } from '../../../contract/projects/projects.ts';
import { agreedFields } from '../../../contract/projects/rights.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const address = { ...text, description: 'Checksummed (EIP-55)' };
const microdollars = { ...text, pattern: '^\\d+$', description: 'Integer microdollars' };
const domain = {
  ...object({ name: text, version: text }),
  description: 'Of the EIP-712 domain of the token: sign with these',
};
const common = {
  scheme: { const: 'exact' },
  asset: { ...address, description: 'USDC contract' },
  payTo: address,
  maxTimeoutSeconds: { type: 'integer', description: 'How long an authorization lives' },
  extra: domain,
};

/** The schemas of a 402, as components. */
export const paymentSchemas: Json = {
  PaymentRequired: {
    allOf: [{ $ref: '#/components/schemas/Failure' }],
    type: 'object',
    description:
      'The header `PAYMENT-REQUIRED` holds the same requirements in version 2, as base64 JSON of `PaymentRequiredV2`.',
    properties: {
      x402Version: { const: 1 },
      accepts: { type: 'array', items: { $ref: '#/components/schemas/PaymentRequirementsV1' } },
      project: {
        ...projectSchema(),
        description: 'The project whose entry fee is asked for; absent for a prize',
      },
      authorization_failed: {
        const: true,
        description:
          'Present if this authorization failed in an earlier request, or came too late. It pays for nothing, and money that it moves goes back to the payer: sign one with another nonce',
      },
    },
    required: ['x402Version', 'accepts'],
  },
  PaymentRequirementsV1: object({
    ...common,
    network: { ...text, description: 'Such as `base-sepolia`' },
    maxAmountRequired: microdollars,
    resource: text,
    description: text,
    mimeType: text,
    outputSchema: { type: 'object' },
  }),
  PaymentRequiredV2: {
    ...object({
      x402Version: { const: 2 },
      error: text,
      resource: object({ url: text, description: text, mimeType: text }),
      accepts: { type: 'array', items: { $ref: '#/components/schemas/PaymentRequirementsV2' } },
      extensions: { type: 'object', description: 'The signed offer, as `offer-receipt`' },
    }),
    description: 'x402 version 2: the JSON of `PAYMENT-REQUIRED`',
  },
  PaymentRequirementsV2: object({
    ...common,
    network: { ...text, description: 'CAIP-2, such as `eip155:84532`' },
    amount: microdollars,
  }),
};

function object(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function projectSchema(): Json {
  const where = z.string().nullable().meta({ description: 'Where the terms are; null without terms' });
  const { $schema: _, ...schema } = z.toJSONSchema(
    z.object({ ...placesFields, terms_hash: agreedFields.terms_hash, terms_url: where }),
  ) as Json;
  return schema;
}

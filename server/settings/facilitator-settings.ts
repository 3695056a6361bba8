import { z } from 'zod';
import { privateKey, serviceUrl, type Setting, text } from './setting.ts';

/** Who verifies and settles payments: a service, or the process itself with keys of its own. */
export const facilitatorSettings = {
  FACILITATOR_URL: {
    schema: serviceUrl.optional(),
    default: 'in-process facilitator',
    doc: 'x402 facilitator. Production needs this, FACILITATOR_KEY, or FACILITATOR_KEYS.',
  },
  FACILITATOR_AUTH: {
    secret: true,
    needs: ['FACILITATOR_URL'],
    insteadOf: 'FACILITATOR_CDP_KEY_ID',
    schema: text.optional(),
    doc: 'Bearer token for the facilitator of FACILITATOR_URL.',
  },
  FACILITATOR_CDP_KEY_ID: {
    needs: ['FACILITATOR_URL', 'FACILITATOR_CDP_KEY_SECRET'],
    schema: text.optional(),
    doc: 'Id of a key of Coinbase Developer Platform, for the facilitator at `https://api.cdp.coinbase.com/platform/v2/x402`.',
  },
  FACILITATOR_CDP_KEY_SECRET: {
    secret: true,
    needs: ['FACILITATOR_CDP_KEY_ID'],
    schema: text.optional(),
    doc: 'Secret of that key: Ed25519 in base64, or an EC key as PEM. It signs a token for each request.',
  },
  FACILITATOR_KEY: {
    secret: true,
    schema: privateKey.optional(),
    default: 'generated',
    doc: 'Key of the in-process facilitator. Its address holds gas and no USDC.',
  },
  FACILITATOR_KEYS: {
    secret: true,
    insteadOf: 'FACILITATOR_KEY',
    schema: z
      .string()
      .transform((value) => value.split(',').map((part) => part.trim()))
      .refine((keys) => new Set(keys.map((key) => key.toLowerCase())).size === keys.length, 'names a key twice')
      .pipe(z.array(privateKey).min(1).max(16))
      .optional(),
    doc: 'Several keys of the in-process facilitator instead of FACILITATOR_KEY, with commas between them. Each broadcasts on its own, and a key without gas is passed over.',
  },
} satisfies Record<string, Setting>;

type Values = { [Key in keyof typeof facilitatorSettings]: z.output<(typeof facilitatorSettings)[Key]['schema']> };

/** Returns the credentials for the remote facilitator; undefined without any. */
export function facilitatorAuthOf(values: Values) {
  const { FACILITATOR_AUTH: token, FACILITATOR_CDP_KEY_ID: keyId, FACILITATOR_CDP_KEY_SECRET: keySecret } = values;
  if (keyId && keySecret) return { keyId, keySecret };
  return token ? { token } : undefined;
}

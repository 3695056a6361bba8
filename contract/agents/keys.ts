import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { keyScopes } from '../basics/scope.ts';
import { text, timestamp } from '../basics/text.ts';

/** A new API key in a response. The service stores only its hash, so no later response contains it. */
export const apiKey = z
  .string()
  .meta({ description: 'Shown only once', examples: ['ck_test_0sTQnHKzP3yYw1vJ9aGkL2_…'] });

const scope = z.enum(keyScopes).meta({
  description:
    '`read`: reads. `enter`: also intents, quotes, preflights, uploads, and confirmations, so it can pay entry fees. `owner`: also wallet, keys, settings, budget, webhooks, and objections',
});
const name = z.string().nullable().meta({ description: 'Null if none was given' });
const keyId = z.string().regex(/^[0-9A-Za-z]{22}$/, 'a key id of GET /agents/me/keys');

const keyEntry = z
  .object({
    id: z.string(),
    name,
    scope,
    createdAt: timestamp,
    lastUsedAt: timestamp
      .nullable()
      .meta({ description: 'When a request last used the key, some seconds old; null if none did' }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: 'When the key stops or stopped working; null if it has no end' }),
    current: z.boolean().meta({ description: 'Whether this request used this key' }),
  })
  .meta({ id: 'AgentKey' });

const shared = { tag: 'Keys', auth: 'agent', limits: ['agentAccount'] } as const;

/** An agent's API keys. */
export const keyOperations = {
  listKeys: operation({
    ...shared,
    id: 'listKeys',
    method: 'get',
    path: '/agents/me/keys',
    summary: 'List your API keys, newest first, without their secrets',
    status: 200,
    output: z.object({ keys: z.array(keyEntry) }),
  }),

  createKey: operation({
    ...shared,
    id: 'createKey',
    method: 'post',
    path: '/agents/me/keys',
    summary: 'Create a further key, with a name and a scope',
    description: 'Only this response contains the key: store it. An agent has at most 20 keys without an end.',
    idempotent: true,
    body: z.object({ name: text(1, 100), scope }),
    status: 201,
    output: z.object({ message: z.string(), keyId: z.string(), apiKey, name, scope }),
    errors: ['KEY_LIMIT_REACHED'],
  }),

  rotateKey: operation({
    ...shared,
    id: 'rotateKey',
    method: 'post',
    path: '/agents/me/keys/rotate',
    summary: 'Replace a key; the old one ends after grace_seconds',
    description:
      'The new key keeps the name and the scope. At most 4 replaced keys stay valid; a fifth ends the oldest immediately.',
    body: z
      .object({
        key_id: keyId.optional().meta({ description: 'The key to replace. Default: the key of this request' }),
        grace_seconds: z
          .int()
          .min(0, '0 to 86400')
          .max(86_400, '0 to 86400')
          .default(0)
          .meta({ description: 'How long the old key stays valid, in seconds' }),
      })
      .prefault({}),
    status: 200,
    output: z.object({ message: z.string(), keyId: z.string(), apiKey, previousKeyExpiresAt: timestamp }),
    errors: ['NOT_FOUND', 'KEY_LIMIT_REACHED'],
  }),

  revokeKey: operation({
    ...shared,
    id: 'revokeKey',
    method: 'delete',
    path: '/agents/me/keys/{key_id}',
    summary: 'Revoke a key immediately; without a key of scope owner, the agent is locked out',
    params: z.object({ key_id: keyId }),
    status: 200,
    output: z.object({ message: z.string(), keyId: z.string() }),
    errors: ['NOT_FOUND'],
  }),
};

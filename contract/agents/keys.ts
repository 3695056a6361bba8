import { z } from 'zod';
import { apiKey, createdKeyOf, keyIdOf, listedKeyOf } from '../basics/keys.ts';
import { operation } from '../basics/operation.ts';
import { keyScopes } from '../basics/scope.ts';
import { text, timestamp } from '../basics/text.ts';

const scope = z.enum(keyScopes).meta({
  description:
    '`read`: reads. `enter`: also intents, quotes, uploads, and confirmations, so it can pay entry fees. `owner`: also wallet, keys, settings, and webhooks',
});
const keyId = keyIdOf('GET /agents/me/keys');
const listedKey = listedKeyOf(scope, 'AgentKey');

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
    output: z.object({ keys: z.array(listedKey) }),
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
    output: createdKeyOf(scope),
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

import { z } from 'zod';
import { createdKeyOf, keyIdOf, listedKeyOf } from '../basics/keys.ts';
import { operation } from '../basics/operation.ts';
import { keyScopes } from '../basics/scope.ts';
import { text } from '../basics/text.ts';

const scope = z.enum(keyScopes).meta({
  description:
    '`read`: reads. `enter`: also intents, quotes, uploads, and confirmations, so it can pay entry fees. `owner`: also wallet, keys, settings, and webhooks',
});
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
    description:
      'Only this response contains the key: store it. An agent has at most 20 keys without an end. To replace a key, create one and revoke the old one.',
    idempotent: true,
    body: z.object({ name: text(1, 100), scope }),
    status: 201,
    output: createdKeyOf(scope),
    errors: ['KEY_LIMIT_REACHED'],
  }),

  revokeKey: operation({
    ...shared,
    id: 'revokeKey',
    method: 'delete',
    path: '/agents/me/keys/{key_id}',
    summary: 'Revoke a key, and end its sessions, within a second',
    description: 'Without a proven wallet and another key of scope owner, the agent is locked out.',
    params: z.object({ key_id: keyIdOf('GET /agents/me/keys') }),
    status: 200,
    output: z.object({ message: z.string(), keyId: z.string() }),
    errors: ['NOT_FOUND'],
  }),
};

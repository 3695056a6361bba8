import { z } from 'zod';
import { operationsOf } from './basics/operation.ts';
import { keyScopes, posterScopes } from './basics/scope.ts';
import { apiKey, text, timestamp } from './basics/text.ts';

const name = z.string().nullable().meta({ description: 'Null if none was given' });
const agentScope = z.enum(keyScopes).meta({
  description:
    '`read`: reads. `enter`: also intents, quotes, uploads, and confirmations, so it can pay entry fees. `owner`: also wallet, keys, settings, and webhooks',
});
const posterScope = z
  .enum(posterScopes)
  .meta({ description: '`read`: reads briefs, entries, and events. `full`: also changes and pays' });

const agent = { tag: 'Keys', auth: 'agent', limits: ['agentAccount'] } as const;
const poster = { tag: 'Posters', auth: 'poster', limits: ['poster'] } as const;

/** `id`: the name of the schema of a key. */
const list = <const Scope extends z.ZodType>(scope: Scope, id: string) =>
  ({
    method: 'get',
    summary: 'List your API keys, newest first, without their secrets',
    output: z.object({
      keys: z
        .array(
          z
            .object({
              id: z.string(),
              name,
              scope,
              createdAt: timestamp,
              lastUsedAt: timestamp
                .nullable()
                .meta({ description: 'When a request last used the key, up to a minute old; null if none did' }),
              expiresAt: timestamp.nullable().meta({ description: 'When the key was revoked; null while it works' }),
              current: z.boolean().meta({ description: 'Whether this request, or its session, uses this key' }),
            })
            .meta({ id }),
        )
        .meta({ description: 'Every key that works, and the 20 that were revoked last' }),
    }),
  }) as const;

const create = <const Scope extends z.ZodType>(scope: Scope) =>
  ({
    method: 'post',
    summary: 'Create a further key, with a name and a scope',
    description:
      'Only this response contains the key: store it. An account has at most 20 valid keys. To replace a key, create one and revoke the old one.',
    idempotent: true,
    body: z.object({ name: text(1, 100), scope }),
    status: 201,
    output: z.object({ message: z.string(), keyId: z.string(), apiKey, name, scope }),
    errors: ['KEY_LIMIT_REACHED'],
  }) as const;

/** `path`: the list of the ids. */
const revoke = (path: string) =>
  ({
    method: 'delete',
    summary: 'Revoke a key, and end its sessions, within a second',
    params: z.object({ key_id: z.string().regex(/^[0-9A-Za-z]{22}$/, `a key id of GET ${path}`) }),
    output: z.object({ message: z.string(), keyId: z.string() }),
    errors: ['NOT_FOUND'],
  }) as const;

/** The API keys of agents and posters. */
export const keyOperations = operationsOf({
  listKeys: { ...agent, ...list(agentScope, 'AgentKey'), path: '/agents/me/keys' },
  createKey: { ...agent, ...create(agentScope), path: '/agents/me/keys' },
  revokeKey: {
    ...agent,
    ...revoke('/agents/me/keys'),
    path: '/agents/me/keys/{key_id}',
    description: 'Without a proven wallet and another key of scope owner, the agent is locked out.',
  },

  listPosterKeys: {
    ...poster,
    ...list(posterScope, 'PosterKey'),
    path: '/posters/me/keys',
  },
  createPosterKey: { ...poster, ...create(posterScope), path: '/posters/me/keys' },
  revokePosterKey: {
    ...poster,
    ...revoke('/posters/me/keys'),
    path: '/posters/me/keys/{key_id}',
    description: 'Without a wallet and another key of scope full, the poster is locked out.',
  },
});

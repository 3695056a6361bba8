import { z } from 'zod';
import { createdKeyOf, keyIdOf, listedKeyOf } from './basics/keys.ts';
import { operation } from './basics/operation.ts';
import { posterScopes } from './basics/scope.ts';
import { text } from './basics/text.ts';

const scope = z
  .enum(posterScopes)
  .meta({ description: '`read`: reads briefs, entries, originals, and events. `full`: also changes and pays' });
const shared = { tag: 'Posters', auth: 'poster', limits: ['poster'] } as const;

/** A poster's API keys. */
export const posterKeyOperations = {
  listPosterKeys: operation({
    ...shared,
    id: 'listPosterKeys',
    method: 'get',
    path: '/posters/me/keys',
    summary: 'List your API keys, newest first, without their secrets',
    status: 200,
    output: z.object({
      keys: z
        .array(listedKeyOf(scope, 'PosterKey'))
        .meta({ description: 'Every key without an end, and the 20 that ended last' }),
    }),
  }),

  createPosterKey: operation({
    ...shared,
    id: 'createPosterKey',
    method: 'post',
    path: '/posters/me/keys',
    summary: 'Create a further key, with a name and a scope',
    description:
      'Only this response contains the key: store it. A poster has at most 20 keys without an end. To replace a key, create one and revoke the old one.',
    idempotent: true,
    body: z.object({ name: text(1, 100), scope }),
    status: 201,
    output: createdKeyOf(scope),
    errors: ['KEY_LIMIT_REACHED'],
  }),

  revokePosterKey: operation({
    ...shared,
    id: 'revokePosterKey',
    method: 'delete',
    path: '/posters/me/keys/{key_id}',
    summary: 'Revoke a key, and end its sessions, within a second',
    description: 'Without a wallet and another key of scope full, the poster is locked out.',
    params: z.object({ key_id: keyIdOf('GET /posters/me/keys') }),
    status: 200,
    output: z.object({ message: z.string(), keyId: z.string() }),
    errors: ['NOT_FOUND'],
  }),
};

import { z } from 'zod';
import { signature } from './agents/wallet.ts';
import { operation } from './basics/operation.ts';
import { posterScopes } from './basics/scope.ts';
import { id, text, timestamp, walletAddress } from './basics/text.ts';

const signIn = z
  .object({
    message: z.string().min(1, 'required').max(4096, 'at most 4096 characters').optional(),
    signature: signature.optional(),
    poster_name: text(3, 100).optional().meta({
      description: 'Name of a poster whose wallet signs in for the first time; default is its shortened address',
    }),
    api_key: z.string().min(1, 'required').max(200, 'at most 200 characters').optional(),
  })
  .refine(
    ({ api_key, message, signature: signed }) =>
      (api_key !== undefined) === (message === undefined && signed === undefined) &&
      (message === undefined) === (signed === undefined),
    'either api_key, or message and signature',
  );

const signedIn = {
  poster: z
    .object({
      id,
      name: z.string(),
      email: z.string().nullable(),
      wallet_address: z.string().nullable().meta({ description: 'The wallet that signs in, in lowercase' }),
      created_at: timestamp,
    })
    .meta({ id: 'Poster' }),
  scope: z.enum(posterScopes).meta({ description: 'The scope of the session, or of the key of the request' }),
  session: z
    .object({
      signed_in_with: z.enum(['wallet', 'key']),
      expires_at: timestamp.meta({
        description:
          'When the session ends without another request. Each request extends it, up to 7 days after its start',
      }),
    })
    .nullable()
    .meta({ description: 'Null for a request with a key' }),
  suspension: z
    .object({ since: timestamp, reason: z.string() })
    .nullable()
    .meta({ description: 'Why the operator suspended you: you publish nothing new, and your open projects go on' }),
};

const asVisitor = { tag: 'Sessions', auth: 'public', limits: ['signIns'], status: 200 } as const;
const asPoster = { tag: 'Sessions', auth: 'poster', limits: ['poster'], status: 200 } as const;

/** Browser sessions of posters: a cookie instead of a key. */
export const sessionOperations = {
  challengeSession: operation({
    ...asVisitor,
    id: 'challengeSession',
    method: 'post',
    path: '/posters/session/challenge',
    summary: 'Request a message that a wallet signs to sign in',
    description: 'The EIP-4361 message is for this service and its network. It works once, within 10 minutes.',
    body: z.object({ address: walletAddress }),
    output: z.object({
      message: z.string().meta({ description: 'Sign it unchanged with personal_sign (EIP-191)' }),
      address: z.string(),
      expiresAt: timestamp,
    }),
  }),

  createSession: operation({
    ...asVisitor,
    id: 'createSession',
    method: 'post',
    path: '/posters/session',
    summary: 'Sign in with a wallet or a key',
    description:
      'Sets the session cookie: `__Host-poster_session` over https, otherwise `poster_session`. The session ends one day after its last request, and at the latest after 7 days. A wallet that signs in for the first time becomes a poster, and counts as a registration. A session started with a key has the scope of the key, and ends when the key ends; a wallet has the scope `full`. A wrong signature does not use up the challenge.',
    session: 'starts',
    body: signIn,
    output: z.object({ message: z.string(), ...signedIn }),
    errors: ['INVALID_API_KEY', 'WALLET_CHALLENGE_INVALID'],
  }),

  getSession: operation({
    ...asPoster,
    id: 'getSession',
    method: 'get',
    path: '/posters/session',
    summary: 'Read who is signed in',
    output: z.object(signedIn),
  }),

  renamePoster: operation({
    ...asPoster,
    id: 'renamePoster',
    method: 'patch',
    path: '/posters/me',
    summary: 'Change your name',
    description: 'Agents and visitors see the new name on all your projects.',
    body: z.object({ poster_name: text(3, 100) }),
    output: z.object(signedIn),
  }),

  deleteSession: operation({
    ...asPoster,
    id: 'deleteSession',
    method: 'delete',
    path: '/posters/session',
    summary: 'Sign out',
    description:
      'Ends the session of the request. With `everywhere=true`, or with a key, it ends all sessions of the poster; without the scope `full`, those of its key.',
    scope: 'read',
    session: 'ends',
    query: z.object({
      everywhere: z
        .enum(['true', 'false'], 'true or false')
        .default('false')
        .transform((value) => value === 'true'),
    }),
    output: z.object({
      message: z.string(),
      ended: z.int().meta({ description: 'Number of sessions that ended' }),
    }),
  }),
};

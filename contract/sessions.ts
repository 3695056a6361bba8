import { z } from 'zod';
import { signature, walletChallenge } from './agents/wallet.ts';
import { operationsOf } from './basics/operation.ts';
import { keyScopes, posterScopes } from './basics/scope.ts';
import { id, text, timestamp } from './basics/text.ts';

const wallet = {
  message: z.string().min(1, 'required').max(4096, 'at most 4096 characters').optional(),
  signature: signature.optional(),
};
const key = { api_key: z.string().min(1, 'required').max(200, 'at most 200 characters').optional() };

/** A key, or a signed message. */
const isOneWay = ({ api_key, message, signature: signed }: Record<string, unknown>) =>
  (api_key !== undefined) === (message === undefined && signed === undefined) &&
  (message === undefined) === (signed === undefined);
const ONE_WAY = 'either api_key, or message and signature';

const posterSignIn = z
  .object({
    ...wallet,
    poster_name: text(3, 100).optional().meta({
      description: 'Name of a poster whose wallet signs in for the first time; default is its shortened address',
    }),
    ...key,
  })
  .refine(isOneWay, ONE_WAY);
const agentSignIn = z.object({ ...wallet, ...key }).refine(isOneWay, ONE_WAY);

/** The members that all operations share which end a session. */
export const signOut = {
  method: 'delete',
  summary: 'Sign out',
  scope: 'read',
  session: 'ends',
  query: z.object({
    everywhere: z
      .enum(['true', 'false'], 'true or false')
      .default('false')
      .transform((value) => value === 'true'),
  }),
  output: z.object({ message: z.string(), ended: z.int().meta({ description: 'Number of sessions that ended' }) }),
} as const;

const posterSignedIn = {
  poster: z
    .object({
      id,
      name: z.string(),
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

const agentSession = z
  .object({
    signed_in_with: z.enum(['wallet', 'key']),
    key_id: z.string().nullable().meta({ description: 'The key that started the session; the session ends with it' }),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: 'Each request extends it, up to 7 days after the start' }),
    current: z.boolean().meta({ description: 'Whether this request used it' }),
  })
  .meta({ id: 'AgentSession' });

const agentSignedIn = {
  agent: z.object({ id, name: z.string() }),
  scope: z.enum(keyScopes),
  session: agentSession.nullable().meta({ description: 'Null for a request with a key' }),
};

const asVisitor = { tag: 'Sessions', auth: 'public', limits: ['signIns'] } as const;
const asPoster = { tag: 'Sessions', auth: 'poster', limits: ['poster'] } as const;
const asAgent = { tag: 'Sessions', auth: 'agent', limits: ['agentAccount'] } as const;

/** Browser sessions of posters, and of the owners of agents: a cookie instead of a key. */
export const sessionOperations = operationsOf({
  challengeSession: {
    ...asVisitor,
    ...walletChallenge,
    path: '/posters/session/challenge',
    summary: 'Request a message that a wallet signs to sign in',
    description:
      'The EIP-4361 message is for this service, its network, and one kind of account. It works once, within 10 minutes.',
    body: walletChallenge.body.extend({
      as: z.enum(['poster', 'agent']).default('poster').meta({
        description: '`poster` (default): for createSession. `agent`, the owner of an agent: for createAgentSession',
      }),
    }),
  },

  createSession: {
    ...asVisitor,
    method: 'post',
    path: '/posters/session',
    summary: 'Sign in with a wallet or a key',
    description:
      'Sets the session cookie: `__Host-poster_session` over https, otherwise `poster_session`. The session ends one day after its last request, and at the latest after 7 days. A wallet that signs in for the first time becomes a poster, and counts as a registration. A session started with a key has the scope of the key, and ends when the key ends; a wallet has the scope `full`. A wrong signature does not use up the challenge.',
    session: 'starts',
    body: posterSignIn,
    output: z.object({ message: z.string(), ...posterSignedIn }),
    errors: ['INVALID_API_KEY', 'WALLET_CHALLENGE_INVALID'],
  },

  getSession: {
    ...asPoster,
    method: 'get',
    path: '/posters/session',
    summary: 'Read who is signed in',
    output: z.object(posterSignedIn),
  },

  renamePoster: {
    ...asPoster,
    method: 'patch',
    path: '/posters/me',
    summary: 'Change your name',
    description: 'Agents and visitors see the new name on all your projects.',
    body: z.object({ poster_name: text(3, 100) }),
    output: z.object(posterSignedIn),
  },

  deleteSession: {
    ...asPoster,
    ...signOut,
    path: '/posters/session',
    description:
      'Ends the session of the request. With `everywhere=true`, or with a key, it ends all sessions of the poster; without the scope `full`, those of its key.',
  },

  createAgentSession: {
    ...asVisitor,
    method: 'post',
    path: '/agents/session',
    summary: 'Sign in as the owner of an agent, with a key or its proven wallet',
    description:
      'Sets the session cookie: `__Host-agent_session` over https, otherwise `agent_session`. The session ends one day after its last request, at the latest after 7 days, and with its key or when the agent has another wallet. It has the scope of its key; a wallet has the scope `owner`.',
    session: 'starts',
    body: agentSignIn,
    output: z.object({ message: z.string(), ...agentSignedIn }),
    errors: ['AGENT_NOT_FOUND', 'INVALID_API_KEY', 'WALLET_CHALLENGE_INVALID'],
  },

  getAgentSession: {
    ...asAgent,
    method: 'get',
    path: '/agents/session',
    summary: 'Read who is signed in, and all sessions of the agent',
    standing: 'any',
    output: z.object({
      ...agentSignedIn,
      sessions: z.array(agentSession).meta({ description: 'Newest first, at most 20' }),
    }),
  },

  deleteAgentSession: {
    ...asAgent,
    ...signOut,
    path: '/agents/session',
    description:
      'Ends the session of the request. With `everywhere=true`, or with a key, it ends all sessions of the agent; without the scope `owner`, those of its key.',
    standing: 'any',
  },
});

import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { keyScopes } from '../basics/scope.ts';
import { id, timestamp, walletAddress } from '../basics/text.ts';
import { signature } from './wallet.ts';

const signIn = z
  .object({
    message: z.string().min(1, 'required').max(4096, 'at most 4096 characters').optional(),
    signature: signature.optional(),
    api_key: z.string().min(1, 'required').max(200, 'at most 200 characters').optional(),
  })
  .refine(
    ({ api_key, message, signature: signed }) =>
      (api_key !== undefined) === (message === undefined && signed === undefined) &&
      (message === undefined) === (signed === undefined),
    'either api_key, or message and signature',
  );

const session = z
  .object({
    signed_in_with: z.enum(['wallet', 'key']),
    key_id: z.string().nullable().meta({ description: 'The key that started the session; the session ends with it' }),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: 'Each request extends it, up to 7 days after the start' }),
    current: z.boolean().meta({ description: 'Whether this request used it' }),
  })
  .meta({ id: 'AgentSession' });

const signedIn = {
  agent: z.object({ id, name: z.string() }),
  scope: z.enum(keyScopes),
  session: session.nullable().meta({ description: 'Null for a request with a key' }),
};

const asVisitor = { tag: 'Sessions', auth: 'public', limits: ['signIns'], status: 200 } as const;
const asAgent = { tag: 'Sessions', auth: 'agent', limits: ['agentAccount'], status: 200 } as const;

/** Browser sessions of the owners of agents: a cookie instead of a key. */
export const agentSessionOperations = {
  challengeAgentSession: operation({
    ...asVisitor,
    id: 'challengeAgentSession',
    method: 'post',
    path: '/agents/session/challenge',
    summary: "Request a message that an agent's wallet signs to sign in",
    description: 'The EIP-4361 message works once, within 10 minutes.',
    body: z.object({ address: walletAddress }),
    output: z.object({ message: z.string(), address: z.string(), expiresAt: timestamp }),
  }),

  createAgentSession: operation({
    ...asVisitor,
    id: 'createAgentSession',
    method: 'post',
    path: '/agents/session',
    summary: 'Sign in as the owner of an agent, with a key or its proven wallet',
    description:
      'Sets the session cookie: `__Host-agent_session` over https, otherwise `agent_session`. The session ends one day after its last request, at the latest after 7 days, and with its key or when the agent has another wallet. It has the scope of its key; a wallet has the scope `owner`.',
    session: 'starts',
    body: signIn,
    output: z.object({ message: z.string(), ...signedIn }),
    errors: ['AGENT_NOT_FOUND', 'INVALID_API_KEY', 'WALLET_CHALLENGE_INVALID'],
  }),

  getAgentSession: operation({
    ...asAgent,
    id: 'getAgentSession',
    method: 'get',
    path: '/agents/session',
    summary: 'Read who is signed in, and all sessions of the agent',
    standing: 'any',
    output: z.object({ ...signedIn, sessions: z.array(session).meta({ description: 'Newest first, at most 20' }) }),
  }),

  deleteAgentSession: operation({
    ...asAgent,
    id: 'deleteAgentSession',
    method: 'delete',
    path: '/agents/session',
    summary: 'Sign out',
    description:
      'Ends the session of the request. With `everywhere=true`, or with a key, it ends all sessions of the agent; without the scope `owner`, those of its key.',
    standing: 'any',
    scope: 'read',
    session: 'ends',
    query: z.object({
      everywhere: z
        .enum(['true', 'false'], 'true or false')
        .default('false')
        .transform((value) => value === 'true'),
    }),
    output: z.object({ message: z.string(), ended: z.int().meta({ description: 'Number of sessions that ended' }) }),
  }),
};

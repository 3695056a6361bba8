import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { operatorScopes } from '../basics/scope.ts';
import { timestamp } from '../basics/text.ts';

const signedIn = {
  name: z.string().nullable().meta({ description: 'Null for OPERATOR_KEY' }),
  scope: z.enum(operatorScopes),
  session: z
    .object({
      created_at: timestamp,
      expires_at: timestamp.meta({
        description: '30 minutes after the newest `GET /operator/session`, at the latest 12 hours after the start',
      }),
    })
    .nullable()
    .meta({ description: 'Null for a request with a key' }),
};

/** Browser sessions of operators: a cookie instead of a key. */
export const operatorSessionOperations = {
  createOperatorSession: operation({
    id: 'createOperatorSession',
    method: 'post',
    path: '/operator/session',
    tag: 'Operators',
    summary: 'Sign in as an operator with a key',
    description:
      'Sets the session cookie: `__Host-operator_session` over https, otherwise `operator_session`. It ends after 30 minutes without `GET /operator/session`, and at the latest after 12 hours.',
    auth: 'public',
    session: 'starts',
    limits: ['signIns'],
    body: z.object({ api_key: z.string().min(1, 'required').max(500, 'at most 500 characters') }),
    status: 200,
    output: z.object({ message: z.string(), ...signedIn }),
    errors: ['INVALID_API_KEY'],
  }),

  getOperatorSession: operation({
    id: 'getOperatorSession',
    method: 'get',
    path: '/operator/session',
    tag: 'Operators',
    summary: 'Read who is signed in, and keep the session',
    description: 'Only this request extends a session, because pages that refresh themselves prove no person.',
    auth: 'operator',
    status: 200,
    output: z.object(signedIn),
  }),

  deleteOperatorSession: operation({
    id: 'deleteOperatorSession',
    method: 'delete',
    path: '/operator/session',
    tag: 'Operators',
    summary: 'Sign out',
    description:
      'Ends the session of the request. With `everywhere=true`, or with a key, it ends all sessions of the operator.',
    auth: 'operator',
    scope: 'read',
    session: 'ends',
    query: z.object({
      everywhere: z
        .enum(['true', 'false'], 'true or false')
        .default('false')
        .transform((value) => value === 'true'),
    }),
    status: 200,
    output: z.object({ message: z.string(), ended: z.int().meta({ description: 'Number of sessions that ended' }) }),
  }),
};

import { z } from 'zod';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { operatorScopes } from '../basics/scope.ts';
import { timestamp } from '../basics/text.ts';
import { signOut } from '../sessions.ts';

const text = (most: number) => z.string().min(1, 'required').max(most, `at most ${most} characters`);

const signedIn = {
  name: z.string().nullable().meta({ description: 'As in the audit trail; null for OPERATOR_KEY' }),
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

const withKey = z.object({ api_key: text(500) });
const withProvider = z.object({
  flow: text(2000).meta({ description: 'Of `POST /operator/session/provider`' }),
  answer: text(8000).meta({ description: 'The query of the address that the provider sent the browser to' }),
});

const asVisitor = { tag: 'Operators', auth: 'public', limits: ['signIns'] } as const;

/** Browser sessions of operators: a cookie instead of a key. */
export const operatorSessionOperations = operationsOf({
  beginOperatorSignIn: {
    ...asVisitor,
    method: 'post',
    path: '/operator/session/provider',
    summary: 'Begin to sign in at the identity provider',
    description:
      'Open `url` in the browser. The provider sends it back to `/operator` with an answer for `POST /operator/session`. Returns 404 without OIDC_ISSUER, and 503 while the provider does not answer.',
    output: z.object({
      url: z.string(),
      flow: z.string().meta({ description: 'Keep it in the browser for 10 minutes, and send it with the answer' }),
    }),
    errors: ['NOT_FOUND'],
  },

  createOperatorSession: {
    ...asVisitor,
    method: 'post',
    path: '/operator/session',
    summary: 'Sign in as an operator, with OPERATOR_KEY or by the identity provider',
    description:
      'Sets the session cookie: `__Host-operator_session` over https, otherwise `operator_session`. It ends after 30 minutes without `GET /operator/session`, and at the latest after 12 hours. `KEY_SCOPE`: the provider knows the person, who has no right here.',
    session: 'starts',
    body: z.union([withKey, withProvider], 'either api_key, or flow and answer'),
    output: z.object({ message: z.string(), ...signedIn }),
    errors: ['INVALID_API_KEY', 'UNAUTHORIZED', 'KEY_SCOPE', 'NOT_FOUND'],
  },

  getOperatorSession: {
    ...asOperator,
    tag: 'Operators',
    method: 'get',
    path: '/operator/session',
    summary: 'Read who is signed in, and keep the session',
    description:
      'Only this request extends a session, because pages that refresh themselves prove no person. It also asks the identity provider, at most every 30 seconds, whether the person still has the right.',
    output: z.object(signedIn),
  },

  deleteOperatorSession: {
    ...asOperator,
    ...signOut,
    tag: 'Operators',
    path: '/operator/session',
    description:
      'Ends the session of the request. With `everywhere=true`, or with a key, it ends all sessions of the operator.',
    output: signOut.output.extend({
      provider_url: z
        .string()
        .nullable()
        .meta({ description: 'Page that also signs out at the identity provider, if it has one' }),
    }),
  },
});

import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { operatorScopes } from '../basics/operator-scope.ts';
import { text, timestamp } from '../basics/text.ts';

/** The name of an operator, as the audit trail shows it: `operator:<name>`. */
const operatorName = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9._-]{1,31}$/, '2 to 32 of a-z, 0-9, `.`, `_`, `-`; the first one a letter');

const scope = z.enum(operatorScopes);
const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, '6 digits');

const operator = z
  .object({
    name: z.string(),
    scopes: z.array(scope),
    codes: z.boolean().meta({ description: 'Whether acts of `money` and `admin` need a code' }),
    added_by: z.string(),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'NamedOperator' });

const answer = z.object({ message: z.string(), operator });

/** The people who run the service, their keys, and their codes. */
export const peopleOperations = {
  getOperator: operation({
    id: 'getOperator',
    method: 'get',
    path: '/operator/me',
    tag: 'Operators',
    summary: 'Read whose key this is',
    auth: 'operator',
    operatorScope: 'read',
    status: 200,
    output: z.object({
      name: z.string().nullable().meta({ description: 'Null for OPERATOR_KEY' }),
      scopes: z.array(scope),
      codes: z.boolean(),
      expires_at: timestamp.nullable(),
    }),
  }),

  listOperators: operation({
    id: 'listOperators',
    method: 'get',
    path: '/operator/operators',
    tag: 'Operators',
    summary: 'List operators, newest first',
    auth: 'operator',
    operatorScope: 'read',
    status: 200,
    output: z.object({ operators: z.array(operator) }),
  }),

  addOperator: operation({
    id: 'addOperator',
    method: 'post',
    path: '/operator/operators',
    tag: 'Operators',
    summary: 'Add an operator, and issue a key',
    description: 'The answer shows the key once. From the first named `admin` on, OPERATOR_KEY opens nothing.',
    auth: 'operator',
    operatorScope: 'admin',
    body: z.object({
      name: operatorName,
      scopes: z.array(scope).min(1).max(4),
      expires_days: z.int().min(1).max(730).default(365).meta({ description: 'Days until the key ends; default 365' }),
      reason: text(1, 500),
    }),
    status: 201,
    output: z.object({ message: z.string(), operator, apiKey: z.string() }),
    errors: ['OPERATOR_CONFLICT'],
  }),

  revokeOperator: operation({
    id: 'revokeOperator',
    method: 'post',
    path: '/operator/operators/{name}/revoke',
    tag: 'Operators',
    summary: 'Revoke the key of an operator',
    description: 'Takes effect everywhere within one second. Repeating the request changes nothing.',
    auth: 'operator',
    operatorScope: 'admin',
    params: z.object({ name: operatorName }),
    body: z.object({ reason: text(1, 500) }),
    status: 200,
    output: answer,
    errors: ['NOT_FOUND'],
  }),

  enrollForCodes: operation({
    id: 'enrollForCodes',
    method: 'post',
    path: '/operator/me/codes',
    tag: 'Operators',
    summary: 'Begin to use codes (TOTP), with a new secret',
    description: 'Show `uri` to an authenticator app. Codes count once `POST /operator/me/codes/confirm` has one.',
    auth: 'operator',
    operatorScope: 'read',
    status: 201,
    output: z.object({ message: z.string(), code_secret: z.string(), uri: z.string() }),
    errors: ['OPERATOR_CONFLICT'],
  }),

  confirmCodes: operation({
    id: 'confirmCodes',
    method: 'post',
    path: '/operator/me/codes/confirm',
    tag: 'Operators',
    summary: 'Confirm the secret by its first code',
    auth: 'operator',
    operatorScope: 'read',
    body: z.object({ code }),
    status: 200,
    output: z.object({ message: z.string() }),
    errors: ['OPERATOR_CONFLICT', 'OPERATOR_CODE_INVALID'],
  }),

  removeCodes: operation({
    id: 'removeCodes',
    method: 'post',
    path: '/operator/me/codes/remove',
    tag: 'Operators',
    summary: 'Stop to use codes',
    auth: 'operator',
    operatorScope: 'read',
    body: z.object({ code }),
    status: 200,
    output: z.object({ message: z.string() }),
    errors: ['OPERATOR_CONFLICT', 'OPERATOR_CODE_INVALID'],
  }),
};

import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { type AnyScope, type KeyScope, type OperatorScope, type PosterScope, scopeOf } from './scope.ts';

/**
 * The kind of caller. `agent`, `poster` and `operator` send `Authorization: Bearer <key>`; `public` sends nothing. The
 * browser of a poster, of an agent's owner, or of an operator may send a session cookie instead; requests that change data
 * then need an Origin of the service.
 */
export type Auth = 'agent' | 'poster' | 'operator' | 'public';

/** The names of the rate limits. Settings of the server define their numbers. */
export type LimitName =
  | 'agentOperations'
  | 'agentReads'
  | 'agentAccount'
  /** Webhook tests: each sends a request to a URL that the account chose. */
  | 'webhookTests'
  | 'payments'
  | 'registration'
  | 'poster'
  /** Marks and drafts of feedback, which the console saves while the poster types. */
  | 'posterNotes'
  /** Reads without a key, per address. */
  | 'publicReads'
  /** Challenges and sign-ins, per address. */
  | 'signIns';

/** One operation of the API. Routes, the OpenAPI document and clients are all built from it. */
export type OperationSpec = {
  /** camelCase; also the OpenAPI operationId. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to `{base_url}`, parameters in braces: `/agents/projects/{project_id}/intent`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  /** The 401 codes for a missing and an invalid key. Default UNAUTHORIZED and INVALID_API_KEY. */
  readonly credentialErrors?: { readonly missing: ErrorCode; readonly invalid: ErrorCode };
  /** Which agents may call: `any`, `notSuspended` (the default), or only `active` ones. */
  readonly standing?: 'any' | 'notSuspended' | 'active';
  /** The scope that the caller needs. `scopeOf` returns the default. */
  readonly scope?: AnyScope;
  readonly limits?: readonly LimitName[];
  /**
   * The daily quota of the agent's tier. `counted`: the operation uses the quota up. `shown`: the answer reports it only in
   * the `RateLimit` fields, because it does not limit this operation.
   */
  readonly dailyQuota?: 'counted' | 'shown';
  /** The code of a 429. Default RATE_LIMIT_EXCEEDED. */
  readonly limitError?: 'RATE_LIMITED' | 'RATE_LIMIT_EXCEEDED';
  /** Returns 402 until its price is paid over x402. Headers and body are parsed after the price is told. */
  readonly paid?: true;
  /** The verb may wait for something to happen, longer than other requests. */
  readonly waits?: true;
  /** Sets the session cookie (the verb returns `SessionStarted` of server/serve.ts), or removes it. */
  readonly session?: 'starts' | 'ends';
  /** Accepts an `Idempotency-Key`: a repeated request runs once and gets the first answer. The verb uses `runIdempotent`. */
  readonly idempotent?: true;
  /** The status of DATABASE_ERROR while the database is away or full. Default 503. */
  readonly databaseDown?: 500;
  /** Exists only in a development start; returns 404 elsewhere. */
  readonly developmentOnly?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  /** The status of success. Default 200. */
  readonly status?: 201;
  /**
   * The status of an `OtherStatus` result (server/serve.ts). 200: the request replaced a resource and did not create one.
   * 202: the request takes effect later.
   */
  readonly otherStatus?: 200 | 202;
  /** The shape of `data`. Fields that it does not list are dropped from the answer. */
  readonly output: z.ZodType;
  /** The type of an answer without the JSON envelope, such as `text/markdown`; `output` is then a string. */
  readonly contentType?: string;
  /** Codes that do not follow from auth, limits, input and payment; `errorsOf` returns the complete list. */
  readonly errors?: readonly ErrorCode[];
};

/** An operation names no scope of other callers. */
type Scoped =
  | { readonly auth: Auth; readonly scope?: 'read' }
  | { readonly auth: 'agent'; readonly scope: KeyScope }
  | { readonly auth: 'poster'; readonly scope: PosterScope }
  | { readonly auth: 'operator'; readonly scope: OperatorScope };

/** Declares operations by their ids and keeps their literal types, which `serve` and the clients rely on. */
export function operationsOf<const Specs extends Readonly<Record<string, Omit<OperationSpec, 'id'> & Scoped>>>(
  specs: Specs,
): { readonly [Id in keyof Specs & string]: Specs[Id] & { readonly id: Id } } {
  const entries = Object.entries(specs).map(([id, spec]) => [id, { ...spec, id }]);
  return Object.fromEntries(entries) as ReturnType<typeof operationsOf<Specs>>;
}

/** Operations of the operator share these members. */
export const asOperator = { tag: 'Operator', auth: 'operator' } as const;

type Part<O, Key extends 'params' | 'query' | 'headers' | 'body'> = Key extends keyof O
  ? O[Key] extends z.ZodType
    ? { [name in Key]: z.output<O[Key]> }
    : unknown
  : unknown;

/** The input of a verb: the parsed `params`, `query`, `headers` and `body` that the operation declares. */
export type Input<O extends OperationSpec> = Part<O, 'params'> &
  Part<O, 'query'> &
  (O extends { paid: true } ? LazyHeaders<O> & LazyBody<O> : Part<O, 'headers'> & Part<O, 'body'>);

/** A paid operation tells its price before it parses the headers and the body. Both functions throw VALIDATION_ERROR. */
type LazyHeaders<O> = O extends { headers: infer H extends z.ZodType } ? { readHeaders: () => z.output<H> } : unknown;
type LazyBody<O> = O extends { body: infer B extends z.ZodType } ? { readBody: () => z.output<B> } : unknown;

/** The result of a verb: the operation's `data`, before the output schema drops unlisted fields. */
export type Output<O extends OperationSpec> = z.input<O['output']>;

/** Returns the 401 codes of an operation. */
export function credentialErrorsOf(spec: OperationSpec): { missing: ErrorCode; invalid: ErrorCode } {
  return spec.credentialErrors ?? { missing: 'UNAUTHORIZED', invalid: 'INVALID_API_KEY' };
}

/** Returns whether a session cookie needs an Origin of the service: only requests that change data do. */
export function needsOrigin(spec: OperationSpec): boolean {
  return spec.auth !== 'public' && spec.method !== 'get';
}

function standingErrors({ auth, standing }: OperationSpec): ErrorCode[] {
  if (auth !== 'agent' || standing === 'any') return [];
  return standing === 'active' ? ['AGENT_SUSPENDED', 'AGENT_RESTRICTED'] : ['AGENT_SUSPENDED'];
}

/** Returns the codes that refuse a caller. */
function callerErrors(spec: OperationSpec): ErrorCode[] {
  if (spec.auth === 'public') return [];
  const { missing, invalid } = credentialErrorsOf(spec);
  const scopeErrors: ErrorCode[] = scopeOf(spec) === 'read' ? [] : ['KEY_SCOPE'];
  // The limit is for too many attempts with invalid keys from one address.
  return [missing, invalid, spec.limitError ?? 'RATE_LIMIT_EXCEEDED', ...standingErrors(spec), ...scopeErrors];
}

/** Returns every error code of the operation, including those that follow from its other fields. */
export function errorsOf(spec: OperationSpec): ErrorCode[] {
  const codes = new Set<ErrorCode>([...(spec.errors ?? []), ...callerErrors(spec)]);
  if (needsOrigin(spec) || spec.session === 'starts') codes.add('ORIGIN_FORBIDDEN');
  if (spec.limits?.length) codes.add(spec.limitError ?? 'RATE_LIMIT_EXCEEDED');
  if (spec.params || spec.query) codes.add('INVALID_PARAMETER');
  if (spec.body || spec.headers) codes.add('VALIDATION_ERROR');
  if (spec.idempotent) codes.add('VALIDATION_ERROR').add('IDEMPOTENCY_KEY_REUSED').add('IDEMPOTENCY_IN_PROGRESS');
  if (spec.paid) codes.add('PAYMENT_REQUIRED').add('PAYMENT_FAILED').add('PAYMENT_PENDING');
  codes.add('DATABASE_ERROR').add('INTERNAL_ERROR');
  return [...codes].toSorted();
}

import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call: `agent`, `poster` and `operator` send `Authorization: Bearer <key>`; `public` sends nothing. A poster's
 * browser sends the cookie of its session instead, with an Origin of the service wherever something is changed.
 */
export type Auth = 'agent' | 'poster' | 'operator' | 'public';

/** The named request limits; their numbers are settings of the server. */
export type LimitName =
  | 'agentOperations'
  | 'agentReads'
  | 'agentAccount'
  /** Each sends a request to an address of the agent's choice. */
  | 'webhookTests'
  | 'payments'
  | 'registration'
  | 'poster'
  /** Per address: what everyone may read without a key. */
  | 'publicReads'
  /** Per address: challenges and sign-ins. */
  | 'signIns';

export type OperationSpec = {
  /** camelCase; also the OpenAPI operationId and the SDK's method name. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Relative to `{base_url}`, parameters in braces: `/agents/projects/{project_id}/intent`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  /** The codes of a 401 here; see "Errors" in the decisions. Default: UNAUTHORIZED when missing, INVALID_API_KEY when not valid. */
  readonly credentialErrors?: { readonly missing: ErrorCode; readonly invalid: ErrorCode };
  /**
   * Which agents may call: `any` even suspended ones, `notSuspended` all others, `active` only active ones.
   * Default `notSuspended`.
   */
  readonly standing?: 'any' | 'notSuspended' | 'active';
  readonly limits?: readonly LimitName[];
  /** The 429 code. Default RATE_LIMIT_EXCEEDED. */
  readonly limitError?: 'RATE_LIMITED' | 'RATE_LIMIT_EXCEEDED';
  /** Answers 402 until its price is paid over x402; its body is read after the payment was verified. */
  readonly paid?: true;
  /** Sets the cookie of a session, or takes it away; see `SessionStarted` and `SessionEnded` (server/serve.ts). */
  readonly session?: 'starts' | 'ends';
  /** Takes an `Idempotency-Key`: sent again with it, it is done once and answered as it was. Its verb uses `doOnce`. */
  readonly idempotent?: true;
  /** Exists in a development start only: answers 404 otherwise. */
  readonly developmentOnly?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly status: 200 | 201;
  /** Where a verb may answer `OtherStatus` (server/serve.ts): what was there already is replaced, not made. */
  readonly otherStatus?: 200;
  /** The shape of `data`; fields that it does not list are dropped from the answer. */
  readonly output: z.ZodType;
  /**
   * The verb returns `data` as finished JSON text (`JsonText` in server/serve.ts), so `output` does not shape it.
   * Development starts and tests check each of these answers against `output` and refuse unlisted fields.
   */
  readonly rendered?: true;
  /** Set where the answer is not the JSON envelope, e.g. `image/svg+xml`; `output` is then a string. */
  readonly contentType?: string;
  /** Codes beyond those that follow from auth, limits, input and payment; `errorsOf` gives them all. */
  readonly errors?: readonly ErrorCode[];
};

/** Keeps the literal types of one operation. */
export function operation<const O extends OperationSpec>(spec: O): O {
  return spec;
}

type Part<O, Key extends 'params' | 'query' | 'headers' | 'body'> = Key extends keyof O
  ? O[Key] extends z.ZodType
    ? { [name in Key]: z.output<O[Key]> }
    : unknown
  : unknown;

/** What a verb receives: the parsed `params`, `query`, `headers` and `body` that the operation declares. */
export type Input<O extends OperationSpec> = Part<O, 'params'> &
  Part<O, 'query'> &
  Part<O, 'headers'> &
  (O extends { paid: true } ? LazyBody<O> : Part<O, 'body'>);

/** A paid operation validates its body only after the payment: reading throws VALIDATION_ERROR. */
type LazyBody<O> = O extends { body: infer B extends z.ZodType } ? { readBody: () => z.output<B> } : unknown;

/** What a verb returns: the operation's `data` before unlisted fields are dropped. */
export type Output<O extends OperationSpec> = z.input<O['output']>;

const credentialDefaults = { missing: 'UNAUTHORIZED', invalid: 'INVALID_API_KEY' } as const;

/** The 401 codes of an operation. */
export function credentialErrorsOf(spec: OperationSpec): { missing: ErrorCode; invalid: ErrorCode } {
  return spec.credentialErrors ?? credentialDefaults;
}

/** Whether a session's cookie is taken only from a page of the service: not where nothing is changed. */
export function needsOrigin(spec: OperationSpec): boolean {
  return spec.auth === 'poster' && spec.method !== 'get';
}

/** Every code that the operation can answer with, the ones that follow from its other fields included. */
export function errorsOf(spec: OperationSpec): ErrorCode[] {
  const codes = new Set<ErrorCode>(spec.errors);
  if (spec.auth !== 'public') {
    const credentials = credentialErrorsOf(spec);
    codes.add(credentials.missing).add(credentials.invalid);
    // Too many attempts with invalid keys from one address.
    codes.add(spec.limitError ?? 'RATE_LIMIT_EXCEEDED');
  }
  if (spec.auth === 'agent') {
    if (spec.standing !== 'any') codes.add('AGENT_SUSPENDED');
    if (spec.standing === 'active') codes.add('AGENT_RESTRICTED');
  }
  if (needsOrigin(spec) || spec.session === 'starts') codes.add('ORIGIN_FORBIDDEN');
  if (spec.limits?.length) codes.add(spec.limitError ?? 'RATE_LIMIT_EXCEEDED');
  if (spec.params || spec.query) codes.add('INVALID_PARAMETER');
  if (spec.body || spec.headers) codes.add('VALIDATION_ERROR');
  if (spec.idempotent) codes.add('VALIDATION_ERROR').add('IDEMPOTENCY_KEY_REUSED').add('IDEMPOTENCY_IN_PROGRESS');
  if (spec.paid) codes.add('PAYMENT_REQUIRED').add('PAYMENT_FAILED').add('PAYMENT_PENDING');
  codes.add('DATABASE_ERROR').add('INTERNAL_ERROR');
  return [...codes].toSorted();
}

/**
 * Every error code of the API and the HTTP status it travels with.
 * Source: the "Errors" tables of the specification and of the decisions.
 */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  INVALID_PARAMETER: 400,
  INVALID_DATE: 400,
  INVALID_RANGE: 400,
  INVALID_SETTINGS: 400,
  WALLET_CHALLENGE_INVALID: 400,
  UNAUTHORIZED: 401,
  AUTHENTICATION_FAILED: 401,
  INVALID_API_KEY: 401,
  PAYMENT_REQUIRED: 402,
  PAYMENT_FAILED: 402,
  AGENT_SUSPENDED: 403,
  AGENT_RESTRICTED: 403,
  UPDATE_FORBIDDEN: 403,
  TIER_RESTRICTED: 403,
  ORIGIN_FORBIDDEN: 403,
  AGENT_NOT_FOUND: 404,
  PROJECT_NOT_FOUND: 404,
  SUBMISSION_NOT_FOUND: 404,
  MEDIA_FILE_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  PROJECT_NOT_ACCEPTING: 409,
  PROJECT_DEADLINE_PASSED: 409,
  PROJECT_DEADLINE_TOO_CLOSE: 409,
  PROJECT_STATE_CONFLICT: 409,
  INTENT_ALREADY_EXISTS: 409,
  INTENT_LIMIT_REACHED: 409,
  SUBMISSION_EXISTS: 409,
  SUBMISSION_ALREADY_EXISTS: 409,
  WALLET_ALREADY_LINKED: 409,
  WEBHOOK_DISABLED: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  RATE_LIMITED: 429,
  RATE_LIMIT_EXCEEDED: 429,
  DATABASE_ERROR: 500,
  INTERNAL_ERROR: 500,
  STORAGE_ERROR: 502,
  PAYMENT_PENDING: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One failing field of a request: `field` is a dotted path, `message` says what would be accepted. */
export type ErrorDetail = { field: string; message: string };

export type DomainErrorOptions = {
  details?: ErrorDetail[];
  /** Seconds until a retry can succeed; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** Overrides the status of the code where the decisions name another one (413, 415, 503 of INTERNAL_ERROR). */
  status?: number;
  cause?: unknown;
};

/** The one error that a verb throws on purpose; everything else is rendered as a logged INTERNAL_ERROR. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly status: number;

  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.status = options.status ?? errorStatus[code];
  }
}

/** `Validation failed: field: why; field: why`, with the same facts in `details`. */
export function validationError(details: ErrorDetail[], status?: number): DomainError {
  const listed = details.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
  return new DomainError('VALIDATION_ERROR', `Validation failed: ${listed}`, {
    details,
    ...(status === undefined ? {} : { status }),
  });
}

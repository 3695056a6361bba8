/** Every error code of the API with its default HTTP status. */
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
  POSTER_SUSPENDED: 403,
  KEY_SCOPE: 403,
  BUDGET_EXCEEDED: 403,
  UPDATE_FORBIDDEN: 403,
  TIER_RESTRICTED: 403,
  ORIGIN_FORBIDDEN: 403,
  UPLOAD_URL_EXPIRED: 403,
  AGENT_NOT_FOUND: 404,
  PROJECT_NOT_FOUND: 404,
  SUBMISSION_NOT_FOUND: 404,
  MEDIA_FILE_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  TERMS_NOT_FOUND: 404,
  NOT_FOUND: 404,
  PROJECT_NOT_ACCEPTING: 409,
  PROJECT_DEADLINE_PASSED: 409,
  PROJECT_DEADLINE_TOO_CLOSE: 409,
  PROJECT_FULL: 409,
  TERMS_CHANGED: 409,
  PROJECT_STATE_CONFLICT: 409,
  INTENT_ALREADY_EXISTS: 409,
  INTENT_LIMIT_REACHED: 409,
  INTENT_PAID: 409,
  SUBMISSION_EXISTS: 409,
  SUBMISSION_ALREADY_EXISTS: 409,
  CONFIRMATION_INCOMPLETE: 409,
  NOT_AWARDED: 409,
  WALLET_ALREADY_LINKED: 409,
  KEY_LIMIT_REACHED: 409,
  WEBHOOK_DISABLED: 409,
  WEBHOOK_HOST_LIMIT: 409,
  WEBHOOK_LIMIT_REACHED: 409,
  EMAIL_UNAVAILABLE: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  RATE_LIMITED: 429,
  TOO_MANY_STREAMS: 429,
  RATE_LIMIT_EXCEEDED: 429,
  DATABASE_ERROR: 500,
  INTERNAL_ERROR: 500,
  STORAGE_ERROR: 502,
  DELIVERY_UNAVAILABLE: 502,
  PAYMENT_PENDING: 503,
  CONFIRMATION_PENDING: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One invalid field of a request. `field` is a dotted path; `message` says which values are accepted. */
export type ErrorDetail = { field: string; message: string };

/** The optional parts of a DomainError. */
export type DomainErrorOptions = {
  details?: ErrorDetail[];
  /** Seconds until a retry can succeed, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Replaces the code's default status, for example 413 of VALIDATION_ERROR or 503 of INTERNAL_ERROR. */
  status?: number;
  cause?: unknown;
};

/**
 * The error that a verb throws on purpose. Its code and message reach the client. Any other exception is logged and
 * becomes an INTERNAL_ERROR.
 */
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

/** Returns a VALIDATION_ERROR that names each invalid field, in its message and in `details`. */
export function validationError(details: ErrorDetail[], status?: number): DomainError {
  const listed = details.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
  return new DomainError('VALIDATION_ERROR', `Validation failed: ${listed}`, {
    details,
    ...(status === undefined ? {} : { status }),
  });
}

import type { ServiceErrorCode } from './wire.ts';

/**
 * The codes of errors that the client itself finds:
 *
 * - `NO_ANSWER`: the request got no answer, so its effect is unknown. Every call of this package is safe to repeat.
 * - `BAD_ANSWER`: the answer is not one of this service.
 * - `FEE_TOO_HIGH`: the price is above the caller's maximum. Nothing was signed.
 * - `PAYMENT_MISMATCH`: the request for payment differs from the project or the network. Nothing was signed.
 * - `WALLET_REQUIRED`: there is something to pay, and no usable wallet.
 * - `FILE_INVALID`: the file is missing, unreadable, or not one that the project takes. Nothing was paid.
 * - `UPLOAD_FAILED`: the storage refused the file.
 * - `CHECKSUM_MISMATCH`: the downloaded bytes are not those that the service promised.
 * - `WEBHOOK_INVALID`: the event is not genuine, or too old.
 */
export type ClientErrorCode =
  | 'NO_ANSWER'
  | 'BAD_ANSWER'
  | 'FEE_TOO_HIGH'
  | 'PAYMENT_MISMATCH'
  | 'WALLET_REQUIRED'
  | 'FILE_INVALID'
  | 'UPLOAD_FAILED'
  | 'CHECKSUM_MISMATCH'
  | 'WEBHOOK_INVALID';

/** A code of this version, or one that a newer service has added. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

/** One invalid field of a request. */
export type ErrorDetail = { field: string; message: string };

/** The optional parts of a ConcoursError. */
export type ErrorParts = {
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  details?: ErrorDetail[] | undefined;
  cause?: unknown;
};

/** The one error that this package throws on purpose. An aborted `signal` throws the signal's own reason instead. */
export class ConcoursError extends Error {
  readonly code: ErrorCode;
  /** The HTTP status; null if the client found the error. */
  readonly status: number | null;
  /** The service's id of the request, for questions to the operator. */
  readonly requestId: string | null;
  /** Seconds until a retry can succeed; null if the service named none. */
  readonly retryAfter: number | null;
  readonly details: ErrorDetail[];

  constructor(code: ErrorCode, message: string, parts: ErrorParts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'ConcoursError';
    this.code = code;
    this.status = parts.status ?? null;
    this.requestId = parts.requestId ?? null;
    this.retryAfter = parts.retryAfter ?? null;
    this.details = parts.details ?? [];
  }
}

import type { Logger } from 'pino';
import { ConnectionLost, DatabaseDown, DatabaseError, isDiskFull, NoConnection } from '../../db/public.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import { ChainUnavailable } from '../../chain/types.ts';
import { StorageError } from '../../storage/types.ts';
import { InspectorBusy } from '../../pictures/public.ts';

const RETRY_SECONDS = 5;
// A failover takes a few seconds, and the service refuses at once until it is over.
const OUTAGE_RETRY_SECONDS = 1;
// A person has to free space.
const FULL_RETRY_SECONDS = 30;

/** Maps any error to an error of the contract. Logs unexpected errors and keeps their text from the client. */
export function asDomainError(error: unknown, log: Logger, requestId: string): DomainError {
  if (error instanceof DomainError) {
    if (error.cause !== undefined) log.warn({ requestId, code: error.code, err: error.cause }, 'request failed');
    return error;
  }
  if (error instanceof NoConnection) {
    log.error({ requestId, err: error }, 'no free database connection');
    return new DomainError(
      'DATABASE_ERROR',
      'The database is too busy: no connection was free within 5 s. Try again.',
      {
        status: 503,
        retryAfterSeconds: RETRY_SECONDS,
      },
    );
  }
  if (isDatabaseDown(error)) {
    log.error({ requestId, err: error }, 'database failure');
    return new DomainError('DATABASE_ERROR', 'The database did not answer. Try again.', {
      status: 503,
      retryAfterSeconds: OUTAGE_RETRY_SECONDS,
    });
  }
  if (isDiskFull(error)) {
    log.error({ alert: 'database_full', requestId, err: error }, 'the database has no space left');
    return new DomainError('DATABASE_ERROR', 'The database has no space left. Try again later.', {
      status: 503,
      retryAfterSeconds: FULL_RETRY_SECONDS,
    });
  }
  if (error instanceof DatabaseError) {
    log.error({ requestId, err: error }, 'database failure');
    return new DomainError('DATABASE_ERROR', 'The database refused a statement. Try again.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  if (error instanceof StorageError) {
    log.error({ requestId, err: error }, 'storage failure');
    return new DomainError('STORAGE_ERROR', 'The file storage did not answer. Try again.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  if (error instanceof InspectorBusy) return unavailable('Too many pictures are being processed. Try again shortly.');
  if (error instanceof ChainUnavailable) {
    log.error({ requestId, err: error }, 'chain failure');
    return unavailable('The payment network did not answer. Nothing was charged; try again.');
  }
  log.error({ requestId, err: error }, 'unexpected failure');
  return new DomainError('INTERNAL_ERROR', 'Something went wrong on our side. Try again.');
}

/** Returns a 503 for a request that a later retry can answer. */
export function unavailable(message: string): DomainError {
  return new DomainError('INTERNAL_ERROR', message, { status: 503, retryAfterSeconds: RETRY_SECONDS });
}

// SQLSTATE: the server shuts down or starts (57P01, 57P02, 57P03), has no free connection (53300), or takes no writes
// (25006), as the former primary after a failover. PgBouncer answers with 08P01 while it reaches no server.
const OUTAGE_STATES = new Set(['57P01', '57P02', '57P03', '53300', '25006', '08P01']);

/**
 * Returns whether the error means that the database is away or has no free connection, and not that it refused one
 * statement.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof DatabaseError) return OUTAGE_STATES.has(error.code ?? '');
  return error instanceof DatabaseDown || error instanceof NoConnection || error instanceof ConnectionLost;
}

export type FailureBody = {
  success: false;
  error: { code: string; message: string; details?: { field: string; message: string }[]; request_id: string };
};

export function failureBody(error: DomainError, requestId: string): FailureBody {
  return {
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details ? { details: error.details } : {}),
      request_id: requestId,
    },
  };
}

export function failureHeaders(error: DomainError): Record<string, string> {
  return {
    ...(error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(error.retryAfterSeconds === undefined
      ? {}
      : { 'Retry-After': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) }),
  };
}

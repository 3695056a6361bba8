import { DatabaseError } from 'pg';

/** PostgreSQL refused a statement; `code` is its SQLSTATE. */
export { DatabaseError } from 'pg';

/** The database cannot be reached, or the connection is lost. Whether the statement took effect is unknown. */
export class ConnectionLost extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    const { message, code } = cause as { message?: string; code?: unknown };
    super(`no connection to the database: ${message || String(code)}`, { cause });
    this.name = 'ConnectionLost';
    this.code = typeof code === 'string' ? code : 'CONNECTION_CLOSED';
  }
}

/** The statement got no connection in time. It was not sent, and never will be. */
export class NoConnection extends Error {
  readonly code = 'NO_CONNECTION';

  constructor() {
    super('no connection to the database was free for 5 s');
    this.name = 'NoConnection';
  }
}

/** Returns whether a statement failed because the disk of the database is full. Reads go on, so no probe notices. */
export const isDiskFull = (error: unknown): boolean => error instanceof DatabaseError && error.code === '53100';

/** The statement came behind one of its transaction that had failed. */
export const isRefusedBehind = (error: unknown): boolean => error instanceof DatabaseError && error.code === '25P02';

/** The statement was prepared under another schema, or on another connection of a pooler. It was not executed. */
export const isStale = (error: unknown): boolean =>
  error instanceof DatabaseError && ['0A000', '26000'].includes(error.code ?? '');

/**
 * Returns whether a connection must not be used again: it is lost, or its server goes down or is a standby by now (25006). A
 * refusal costs none.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  (error instanceof DatabaseError && (/^(?:57P|08|25006)/.test(error.code ?? '') || isStale(error)));

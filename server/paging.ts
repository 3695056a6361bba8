import { DomainError } from '../contract/basics/errors.ts';
import { safeMicro } from '../contract/basics/money.ts';
import type { Fragment, Queryable } from './db/database.ts';

/** The position of a row in a list that is sorted by a time and an id. */
export type Cursor = { at: Date; id: string };

const TEXT = /^[A-Za-z0-9_-]{32}$/;
/** The last millisecond of the year 9999. Amounts are smaller. */
const MAX_MS = 253_402_300_799_999n;

/** Encodes a cursor as text that is opaque to clients. The text is not secret: a forged one is only another position. */
export function encodeCursor({ at, id }: Cursor): string {
  const bytes = Buffer.alloc(24);
  bytes.writeBigUInt64BE(BigInt(at.getTime()));
  bytes.write(id.replaceAll('-', ''), 8, 'hex');
  return bytes.toString('base64url');
}

/** @throws DomainError INVALID_PARAMETER */
export function decodeCursor(text: string): Cursor {
  const bytes = TEXT.test(text) ? Buffer.from(text, 'base64url') : null;
  const ms = bytes?.readBigUInt64BE() ?? MAX_MS + 1n;
  if (bytes === null || ms > MAX_MS) throw invalidCursor();
  const id = bytes.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { at: new Date(Number(ms)), id };
}

/**
 * Reads a page of a list by its `cursor` and `limit`. `read` gets the position, and a limit of one row more than the page
 * has. `cursorOf` returns the position of a row.
 * @throws DomainError INVALID_PARAMETER
 */
export async function readPage<Row>(
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  read: (page: { after: Cursor | null; limit: number }) => Promise<Row[]>,
  cursorOf: (row: Row) => Cursor,
): Promise<{ rows: Row[]; end: { has_more: boolean; next_cursor: string | null } }> {
  const found = await read({ after: cursor === undefined ? null : decodeCursor(cursor), limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, end: { has_more: last !== undefined, next_cursor: last ? encodeCursor(cursorOf(last)) : null } };
}

/** The ranges that every list of the operator takes. `since` is in its range, and `before` is not. */
export type Ranges = {
  since?: Date | undefined;
  before?: Date | undefined;
  /** In microdollars. */
  min_usdc?: number | undefined;
  max_usdc?: number | undefined;
};

/** Returns the conditions of ranges, which follow a `where`. `at` and `amount` are the columns of the time and the amount. */
export function inRanges(db: Queryable, query: Ranges, { at, amount }: { at: Fragment; amount?: Fragment }): Fragment {
  const { since, before, min_usdc: least, max_usdc: most } = query;
  return db`${since === undefined ? db`` : db`and ${at} >= ${since}`}
    ${before === undefined ? db`` : db`and ${at} < ${before}`}
    ${amount === undefined || least === undefined ? db`` : db`and ${amount} >= ${safeMicro(least)}`}
    ${amount === undefined || most === undefined ? db`` : db`and ${amount} <= ${safeMicro(most)}`}`;
}

/** The statement of an operator's list up to its last condition, and the columns by which the list is sorted. */
type Newest<Row> = {
  rows: Fragment;
  at: Fragment;
  id: Fragment;
  amount?: Fragment;
  cursorOf: (row: Row) => Cursor;
};

/** Reads a page of a list of the operator, newest first. @throws DomainError INVALID_PARAMETER */
export async function readNewest<Row extends object>(
  db: Queryable,
  query: Ranges & { cursor?: string | undefined; limit: number },
  { rows, id, cursorOf, ...columns }: Newest<Row>,
): Promise<{ rows: Row[]; end: { has_more: boolean; next_cursor: string | null } }> {
  const { at } = columns;
  const read = async ({ after, limit }: { after: Cursor | null; limit: number }) => {
    // The cursor implies `before`. With both, PostgreSQL walks the index from `before` down to the cursor.
    const before = after !== null && query.before && after.at < query.before ? undefined : query.before;
    return await db<Row[]>`
      ${rows} ${inRanges(db, { ...query, before }, columns)} ${after === null ? db`` : db`and (${at}, ${id}) < (${after.at}, ${after.id})`}
      order by ${at} desc, ${id} desc limit ${limit}`;
  };
  return await readPage(query, read, cursorOf);
}

/** The last row of a page: the value of the order's column, and the id that breaks ties. */
export type SearchPosition = { value: Date | number; id: string };

/** The type of a position's value. */
export type PositionKind = 'time' | 'amount';

/**
 * A cursor has 8 bytes of the filters' hash, 8 bytes of the position's value, and 16 bytes of its id. A cursor of a search
 * for agents has 8 bytes more, with the horizon of the first page.
 */
const BYTES = 32;
const BYTES_WITH_HORIZON = 40;
const SEARCH_TEXT = /^(?:[A-Za-z0-9_-]{43}|[A-Za-z0-9_-]{54})$/;
/**
 * Encodes a position as a cursor, which is opaque to clients. A cursor contains no secret and grants nothing: a forged
 * cursor is a position like any other.
 */
export function encodeSearchCursor({ value, id }: SearchPosition, filters: Buffer, horizon?: Date): string {
  const bytes = Buffer.alloc(horizon ? BYTES_WITH_HORIZON : BYTES);
  filters.copy(bytes, 0, 0, 8);
  bytes.writeBigUInt64BE(BigInt(value.valueOf()), 8);
  bytes.write(id.replaceAll('-', ''), 16, 'hex');
  if (horizon) bytes.writeBigUInt64BE(BigInt(horizon.getTime()), BYTES);
  return bytes.toString('base64url');
}

/** Tells whether a cursor belongs to a search with these filters. */
export function isCursorOf(text: string, filters: Buffer): boolean {
  return Buffer.from(text, 'base64url').subarray(0, 8).equals(filters.subarray(0, 8));
}

/**
 * Decodes a cursor.
 *
 * @throws DomainError INVALID_PARAMETER when it is malformed or belongs to a search with other filters or order
 */
export function decodeSearchCursor(
  text: string,
  filters: Buffer,
  kind: PositionKind,
): SearchPosition & { horizon: Date | null } {
  const bytes = SEARCH_TEXT.test(text) ? Buffer.from(text, 'base64url') : null;
  if (!bytes || bytes.toString('base64url') !== text) throw invalidCursor('not a cursor of this service');
  if (!bytes.subarray(0, 8).equals(filters.subarray(0, 8)))
    throw invalidCursor('belongs to a search with other filters or order; search again without a cursor');
  const value = bytes.readBigUInt64BE(8);
  const horizon = bytes.length === BYTES ? 0n : bytes.readBigUInt64BE(BYTES);
  if (value > MAX_MS || horizon > MAX_MS) throw invalidCursor('not a cursor of this service');
  const id = bytes.toString('hex', 16, BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    value: kind === 'time' ? new Date(Number(value)) : Number(value),
    id,
    horizon: bytes.length === BYTES ? null : new Date(Number(horizon)),
  };
}

function invalidCursor(message = 'not a cursor of this service'): DomainError {
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: cursor: ${message}`, {
    details: [{ field: 'cursor', message }],
  });
}

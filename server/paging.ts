import { DomainError } from '../contract/basics/errors.ts';

/** The position of a row in a list that is sorted by a time and an id. */
export type Cursor = { at: Date; id: string };

const TEXT = /^[A-Za-z0-9_-]{32}$/;
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

/** Cuts `rows`, which hold one row more than `limit`, to a page, and returns the cursor of the next page. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): { rows: Row[]; hasMore: boolean; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return { rows: shown, hasMore, nextCursor: hasMore && last ? encodeCursor(cursorOf(last)) : null };
}

/**
 * Reads a page of a list by its `cursor` and `limit`. `read` gets the position, and a limit of one row more than the page
 * has.
 * @throws DomainError INVALID_PARAMETER
 */
export async function readPage<Row>(
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  read: (page: { after: Cursor | null; limit: number }) => Promise<Row[]>,
  cursorOf: (row: Row) => Cursor,
): Promise<{ rows: Row[]; end: { has_more: boolean; next_cursor: string | null } }> {
  const found = await read({ after: cursor === undefined ? null : decodeCursor(cursor), limit: limit + 1 });
  const { rows, hasMore, nextCursor } = pageOf(found, limit, cursorOf);
  return { rows, end: { has_more: hasMore, next_cursor: nextCursor } };
}

function invalidCursor(): DomainError {
  const message = 'not a cursor of this service';
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: cursor: ${message}`, {
    details: [{ field: 'cursor', message }],
  });
}

/** A range of times: from `since`, and before `before`. */
export type Times = { since?: Date | undefined; before?: Date | undefined };

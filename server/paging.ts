import { DomainError } from '../contract/errors.ts';

/** A place in a list that is ordered by a time and an id: the last row of a page. */
export type Place = { at: Date; id: string };

const TEXT = /^[A-Za-z0-9_-]{32}$/;
const MAX_MS = 253_402_300_799_999n;

/** Opaque to clients. It holds nothing secret and opens nothing: a forged one is a place like any other. */
export function encodePlace({ at, id }: Place): string {
  const bytes = Buffer.alloc(24);
  bytes.writeBigUInt64BE(BigInt(at.getTime()));
  bytes.write(id.replaceAll('-', ''), 8, 'hex');
  return bytes.toString('base64url');
}

/** @throws DomainError INVALID_PARAMETER */
export function decodePlace(text: string): Place {
  const bytes = TEXT.test(text) ? Buffer.from(text, 'base64url') : null;
  const ms = bytes?.readBigUInt64BE() ?? MAX_MS + 1n;
  if (bytes === null || ms > MAX_MS) throw invalidCursor();
  const id = bytes.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { at: new Date(Number(ms)), id };
}

/** A page of rows of which one more than `limit` was read, and the cursor of the next one. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  place: (row: Row) => Place,
): { rows: Row[]; hasMore: boolean; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return { rows: shown, hasMore, nextCursor: hasMore && last ? encodePlace(place(last)) : null };
}

function invalidCursor(): DomainError {
  const message = 'not a cursor of this service';
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: cursor: ${message}`, {
    details: [{ field: 'cursor', message }],
  });
}

import { DomainError } from '../contract/basics/errors.ts';

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
const TEXT = /^(?:[A-Za-z0-9_-]{43}|[A-Za-z0-9_-]{54})$/;
// The last millisecond of the year 9999; amounts are smaller.
const MAX_VALUE = 253_402_300_799_999n;

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
  const bytes = TEXT.test(text) ? Buffer.from(text, 'base64url') : null;
  if (!bytes || bytes.toString('base64url') !== text) throw invalidCursor('not a cursor of this service');
  if (!bytes.subarray(0, 8).equals(filters.subarray(0, 8)))
    throw invalidCursor('belongs to a search with other filters or order; search again without a cursor');
  const value = bytes.readBigUInt64BE(8);
  const horizon = bytes.length === BYTES ? 0n : bytes.readBigUInt64BE(BYTES);
  if (value > MAX_VALUE || horizon > MAX_VALUE) throw invalidCursor('not a cursor of this service');
  const id = bytes.toString('hex', 16, BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return {
    value: kind === 'time' ? new Date(Number(value)) : Number(value),
    id,
    horizon: bytes.length === BYTES ? null : new Date(Number(horizon)),
  };
}

function invalidCursor(message: string): DomainError {
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: cursor: ${message}`, {
    details: [{ field: 'cursor', message }],
  });
}

import { DomainError } from '../../contract/basics/errors.ts';

const CURSOR = /^[A-Za-z0-9_-]{12}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const VERSION = 1;

/** Where a reader continues: at a number, after an event, at the newest event, or at the oldest one. */
export type After = { seq: number } | { id: string } | 'now' | 'oldest';

/** Encodes a number of the log as text that is opaque to clients. A forged one is only another position. */
export function encodeSeq(seq: number): string {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(VERSION);
  bytes.writeBigUInt64BE(BigInt(seq), 1);
  return bytes.toString('base64url');
}

/** @throws DomainError INVALID_PARAMETER */
export function parseAfter(text: string | undefined): After {
  if (text === undefined) return 'oldest';
  if (text === 'now') return 'now';
  if (UUID.test(text)) return { id: text.toLowerCase() };
  const bytes = CURSOR.test(text) ? Buffer.from(text, 'base64url') : null;
  const seq = bytes?.[0] === VERSION ? Number(bytes.readBigUInt64BE(1)) : Number.NaN;
  if (Number.isSafeInteger(seq)) return { seq };
  const message = '`now`, the id of an event, or a cursor of this service';
  throw new DomainError('INVALID_PARAMETER', `Invalid parameter: after: ${message}`, {
    details: [{ field: 'after', message }],
  });
}

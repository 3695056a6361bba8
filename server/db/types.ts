import { types as known } from 'pg';

type Parse = (text: string) => unknown;

/** The driver's types know no arrays. */
const knownParser = known.getTypeParser as (oid: number, format: 'text' | 'binary') => Parse;

/** Microdollars stay below 2^53; a larger value throws instead of being rounded. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a database integer is beyond the safe range');
  return value;
}

const date: Parse = (text) => new Date(text);
const same: Parse = (text) => text;
const textArray = knownParser(1009, 'text');
const arrayOf =
  (parse: Parse): Parse =>
  (text) =>
    (textArray(text) as (string | null)[]).map((item) => (item === null ? null : parse(item)));

/**
 * Parsers that replace the driver's own: int8 is a number, a date begins at midnight UTC, and an interval stays a text.
 * Keys are the object ids of `pg_type`.
 */
const parsers = new Map<number, Parse>([
  [20, safeInteger],
  [1016, arrayOf(safeInteger)],
  [1082, date],
  [1182, arrayOf(date)],
  [1114, date],
  [1115, arrayOf(date)],
  [1184, date],
  [1185, arrayOf(date)],
  [1186, same],
  [1231, arrayOf(same)],
]);

export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): Parse =>
    parsers.get(oid) ?? knownParser(oid, format ?? 'text'),
};

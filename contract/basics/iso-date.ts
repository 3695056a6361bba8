import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

const ISO_DATE_TIME =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:T(\d{2})(:?)(\d{2})(?:\6(\d{2}(?:[.,]\d{1,9})?))?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

// Outside these years ISO 8601 needs a sign, which PostgreSQL does not accept. A zone offset can lead outside them.
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 date-time, extended or basic, in the years 1 to 9999. The default zone is UTC, and the time midnight.
 *
 * @returns null when the text is anything else
 */
export function parseIsoDate(value: string): Date | null {
  // A query string turns the unescaped `+` of a zone into a space.
  const match = ISO_DATE_TIME.exec(value.trim().replace(/ (\d{2}(:?\d{2})?)$/, '+$1'));
  if (!match) return null;
  const [, year, , month, monthDay, hour = '00', , minute = '00', second = '00', zone = 'Z'] = match;
  const day = `${year}-${month}-${monthDay}`;
  // The parser of JavaScript knows the extended form alone.
  const offset = zone.toUpperCase().replace(/^(.\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  const date = new Date(`${day}T${hour}:${minute}:${second.replace(',', '.')}${offset}`);
  if (!(date.getTime() >= FIRST_MS && date.getTime() <= LAST_MS)) return null;
  // Some spellings of 2026-02-30 roll over to March, so the day must survive the round trip.
  const calendar = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(calendar.getTime()) && calendar.toISOString().startsWith(day) ? date : null;
}

/**
 * An ISO 8601 date-time in a request, parsed to a Date.
 *
 * @param code replaces the usual error code of the part of the request
 */
export const isoDateTime = (code?: ErrorCode) =>
  z.string().transform((value, ctx) => {
    const date = parseIsoDate(value);
    if (date) return date;
    ctx.addIssue({ code: 'custom', message: 'an ISO 8601 date-time', params: { code }, input: value });
    return z.NEVER;
  });

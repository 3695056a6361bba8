import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type DomainError, type ErrorDetail, validationError } from '../../../contract/basics/errors.ts';
import { unavailable } from '../answers/errors.ts';
import { type ArrivingBody, type BytesInFlight, createBytesInFlight } from './bytes-in-flight.ts';

/** A brief of the largest size, with every character escaped. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 20;
/** The levels of a message around the body of an operation. */
const ROOM = 5;
const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;
/** A schema makes an error for each value that it refuses: those of a small body would fill the memory. */
const MAX_VALUES = 5_000;
/** A body can hold thousands of flaws, and a path as long: an answer names the first ones. */
const MAX_FLAWS = 20;
const MAX_PATH_LENGTH = 200;
const READ_TIMEOUT_MS = 15_000;
// The bodies of all requests that arrive at a time: 512 of the largest size of JSON.
const inFlight = createBytesInFlight(128 * 1024 * 1024);
const TOO_MANY = 'Too many requests are arriving. Try again shortly.';
const BYTE_ORDER_MARK = 0xfeff;

/** A body that was read but not checked yet. `parse` throws the error, and returns `undefined` for an absent body. */
export type ReceivedBody = { parse(): unknown };

/**
 * Reads at most 256 KB of JSON. Never rejects, because a paid operation checks its body only after the payment. It reads
 * the socket's own stream, because a web stream around it costs three times as much CPU time as the reading.
 */
export async function receiveBody(incoming: IncomingMessage, timeoutMs = READ_TIMEOUT_MS): Promise<ReceivedBody> {
  try {
    const bytes = await readBytes(incoming, timeoutMs);
    return { parse: () => parseJson(bytes, incoming.headers) };
  } catch (error) {
    return {
      parse() {
        throw error;
      },
    };
  }
}

/**
 * Returns a body whose JSON another part of the service has read. The same bounds apply as to a body of its own.
 *
 * @param value JSON of at most `MAX_DEPTH` levels; `undefined` for an absent body
 */
export function givenBody(value: unknown): ReceivedBody {
  const bytes = Buffer.from(value === undefined ? '' : JSON.stringify(value));
  return {
    parse() {
      if (bytes.length > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
      return parseJson(bytes, { 'content-type': 'application/json' });
    },
  };
}

/**
 * Refuses what a parser would take long for: many values, many levels, and numbers that are too large to be one.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export function requireSmallJson(body: unknown): void {
  let level = [body];
  for (let depth = 0, count = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH + ROOM) throw badBody(TOO_DEEP);
    const inner: unknown[][] = [];
    for (const value of level) {
      if (value === Infinity || value === -Infinity) throw badBody('a number is too large');
      if (typeof value !== 'object' || value === null) continue;
      const values = Object.values(value);
      count += values.length;
      if (count > MAX_VALUES) throw badBody(`at most ${MAX_VALUES} values`);
      inner.push(values);
    }
    level = inner.flat();
  }
}

/** @throws DomainError VALIDATION_ERROR for JSON that no operation takes, such as text with a NUL character */
export function requirePlainJson(value: unknown): void {
  const flaws = flawsOf(value);
  if (flaws.length > 0) throw validationError(flaws);
}

type Reading = { above: number; large: () => void; bodies: BytesInFlight };

/**
 * Reads a whole body. Calls `large` for each part of it beyond `above` bytes; what it throws ends the reading.
 *
 * @throws DomainError VALIDATION_ERROR when it is cut, slow, or too large; INTERNAL_ERROR with the status 503 while too many
 *   bodies arrive
 */
export async function readBytes(
  incoming: IncomingMessage,
  timeoutMs = READ_TIMEOUT_MS,
  maxBytes = MAX_BODY_BYTES,
  { above = maxBytes, large = () => {}, bodies = inFlight }: Partial<Reading> = {},
): Promise<Buffer> {
  const { 'transfer-encoding': encoding, 'content-length': length } = incoming.headers;
  // -1: the length of a chunked body is not known.
  const declared = encoding === undefined ? Number(length ?? 0) : -1;
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (declared === 0) return Buffer.alloc(0);
  // The client left before this was called, so no event follows.
  if (incoming.destroyed) throw cut();
  return await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const body: ArrivingBody = { bytes: 0, giveUp: () => stop(() => reject(unavailable(TOO_MANY))) };
    const stop = (settle: () => void) => {
      clearTimeout(timer);
      bodies.remove(body);
      incoming.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      settle();
    };
    // After a refusal the rest of the body is discarded, so that the client can finish sending and read the answer.
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) return stop(() => reject(tooLarge(maxBytes)));
      if (!bodies.add(body, chunk.length)) return;
      try {
        if (size > above) large();
        chunks.push(chunk);
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error));
        stop(() => reject(reason));
      }
    };
    const onEnd = () => stop(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onCut = () => stop(() => reject(cut()));
    const timer = setTimeout(() => stop(() => reject(badBody('the body did not arrive in time', 408))), timeoutMs);
    incoming.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

function parseJson(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  if (bytes.length === 0) return undefined;
  if (!isJson(headers['content-type']))
    throw validationError([{ field: 'Content-Type', message: 'must be application/json' }], 415);
  if (!isUtf8(bytes)) {
    if (headers['content-encoding'] === undefined) throw badBody('not valid UTF-8');
    throw validationError([{ field: 'Content-Encoding', message: 'not supported; send the JSON as it is' }], 415);
  }
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw badBody('not valid JSON');
  }
  requireSmallJson(value);
  requirePlainJson(value);
  return value;
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (!contentType) return false;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
  });
}

/**
 * Returns what no field of any operation may hold, with the path of each field. PostgreSQL stores no NUL, a lone surrogate
 * is not text, and `__proto__` is only ever an attack.
 */
function flawsOf(value: unknown): ErrorDetail[] {
  const found: ErrorDetail[] = [];
  addFlaws(found, value, { path: '', depth: 1 });
  return found;
}

function addFlaws(found: ErrorDetail[], value: unknown, { path, depth }: { path: string; depth: number }): void {
  const add = (field: string, message: string | null) => {
    if (message !== null && found.length < MAX_FLAWS)
      found.push({ field: field.slice(0, MAX_PATH_LENGTH).toWellFormed() || 'body', message });
  };
  if (typeof value === 'string') return add(path, textFlaw(value));
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) return add('', TOO_DEEP);
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const flaw = isList ? null : keyFlaw(key);
    // The path has no such key: an answer would repeat it.
    if (flaw !== null) add(path, flaw);
    else if (typeof inner === 'string') add(inPath(path, key), textFlaw(inner));
    else if (typeof inner === 'object') addFlaws(found, inner, { path: inPath(path, key), depth: depth + 1 });
  }
}

function inPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function keyFlaw(key: string): string | null {
  return key === '__proto__' ? 'the key __proto__ is not allowed' : textFlaw(key);
}

/** Returns why PostgreSQL could not store this text, or null. */
export function textFlaw(value: string): string | null {
  if (value.includes('\u0000')) return 'a NUL character is not allowed';
  return value.isWellFormed() ? null : 'text with a lone surrogate is not allowed';
}

function badBody(message: string, status?: number): DomainError {
  return validationError([{ field: 'body', message }], status);
}

function tooLarge(maxBytes: number): DomainError {
  return badBody(`at most ${maxBytes} bytes`, 413);
}

function cut(): DomainError {
  return badBody('the body could not be read');
}

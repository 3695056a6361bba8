import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type DomainError, validationError } from '../../contract/basics/errors.ts';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_DEPTH = 20;
const READ_TIMEOUT_MS = 15_000;
const BYTE_ORDER_MARK = 0xfeff;

/** A body that was read but not checked yet. `parse` throws the error, and returns `undefined` for an absent body. */
export type ReceivedBody = { parse(): unknown };

/**
 * Reads at most 64 KB of JSON. Never rejects, because a paid operation checks its body only after the payment. It reads
 * the socket's own stream, because a web stream around it costs three times as much CPU time as the reading.
 */
export async function receiveBody(incoming: IncomingMessage, timeoutMs = READ_TIMEOUT_MS): Promise<ReceivedBody> {
  try {
    const bytes = await readBytes(incoming, timeoutMs);
    return { parse: () => parseJson(bytes, incoming.headers['content-type']) };
  } catch (error) {
    return {
      parse() {
        throw error;
      },
    };
  }
}

const EMPTY = Buffer.alloc(0);

async function readBytes(incoming: IncomingMessage, timeoutMs: number): Promise<Buffer> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > MAX_BODY_BYTES) throw tooLarge();
  if (declared === 0 && incoming.headers['transfer-encoding'] === undefined) return EMPTY;
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (settle: () => void) => {
      clearTimeout(timer);
      incoming.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      settle();
    };
    // After a refusal the rest of the body is discarded, so that the client can finish sending and read the answer.
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) stop(() => reject(tooLarge()));
      else chunks.push(chunk);
    };
    const onEnd = () => stop(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onCut = () => stop(() => reject(badBody('the body could not be read')));
    const timer = setTimeout(() => stop(() => reject(badBody('the body did not arrive in time', 408))), timeoutMs);
    incoming.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

function parseJson(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (!isJson(contentType))
    throw validationError([{ field: 'Content-Type', message: 'must be application/json' }], 415);
  if (!isUtf8(bytes)) throw badBody('not valid UTF-8');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw badBody('not valid JSON');
  }
  const flaw = flawOf(value, 1);
  if (flaw) throw badBody(flaw);
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
 * Returns the first thing that no field of any operation may hold, or null. PostgreSQL stores no NUL, a lone surrogate is
 * not text, and `__proto__` is only ever an attack.
 */
function flawOf(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return textFlaw(value);
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) return firstFlaw(value, depth);
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'the key __proto__ is not allowed';
    const flaw = textFlaw(key);
    if (flaw) return flaw;
  }
  return firstFlaw(Object.values(value), depth);
}

function firstFlaw(values: unknown[], depth: number): string | null {
  for (const value of values) {
    const flaw = flawOf(value, depth + 1);
    if (flaw) return flaw;
  }
  return null;
}

/** Returns why PostgreSQL could not store this text, or null. */
export function textFlaw(value: string): string | null {
  if (value.includes('\u0000')) return 'a NUL character is not allowed';
  return value.isWellFormed() ? null : 'text with a lone surrogate is not allowed';
}

function badBody(message: string, status?: number): DomainError {
  return validationError([{ field: 'body', message }], status);
}

function tooLarge(): DomainError {
  return badBody(`at most ${MAX_BODY_BYTES} bytes`, 413);
}

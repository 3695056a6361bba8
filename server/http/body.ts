import { DomainError, validationError } from '../../contract/errors.ts';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_DEPTH = 20;
const READ_TIMEOUT_MS = 15_000;

/** A body that was read but not judged yet: `parse` throws what is wrong with it. */
export type ReceivedBody = { parse(): unknown };

/**
 * Reads at most 64 KB of JSON. Nothing is thrown here: a paid operation judges its body only after the payment.
 * `parse` gives `undefined` for an absent body.
 */
export async function receiveBody(request: Request): Promise<ReceivedBody> {
  try {
    const bytes = await readBytes(request);
    return { parse: () => parseJson(bytes, request.headers.get('content-type')) };
  } catch (error) {
    return {
      parse() {
        throw error;
      },
    };
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const deadline = AbortSignal.timeout(READ_TIMEOUT_MS);
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const onTimeout = () => void reader.cancel().catch(() => {});
  deadline.addEventListener('abort', onTimeout);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw badBody('the body could not be read');
  } finally {
    deadline.removeEventListener('abort', onTimeout);
  }
  if (deadline.aborted) throw badBody('the body did not arrive in time');
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function parseJson(bytes: Uint8Array, contentType: string | null): unknown {
  if (bytes.byteLength === 0) return undefined;
  if (!isJson(contentType)) throw validationError([{ field: 'Content-Type', message: 'must be application/json' }], 415);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw badBody(error instanceof SyntaxError ? 'not valid JSON' : 'not valid UTF-8');
  }
  const flaw = flawOf(value, 1);
  if (flaw) throw badBody(flaw);
  return value;
}

function isJson(contentType: string | null): boolean {
  if (!contentType) return false;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
  });
}

/**
 * What no field of any operation may hold: PostgreSQL stores no NUL, a lone surrogate is not text, and
 * `__proto__` is only ever an attack.
 */
function flawOf(value: unknown, depth: number): string | null {
  if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
  if (typeof value === 'string') return textFlaw(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') return 'the key __proto__ is not allowed';
    const flaw = textFlaw(key) ?? flawOf(item, depth + 1);
    if (flaw) return flaw;
  }
  return null;
}

export function textFlaw(value: string): string | null {
  if (value.includes('\u0000')) return 'a NUL character is not allowed';
  return value.isWellFormed() ? null : 'text with a lone surrogate is not allowed';
}

function badBody(message: string): DomainError {
  return validationError([{ field: 'body', message }]);
}

function tooLarge(): DomainError {
  return validationError([{ field: 'body', message: `at most ${MAX_BODY_BYTES} bytes` }], 413);
}

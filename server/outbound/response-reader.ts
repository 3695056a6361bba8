import { AttemptFailed } from './request-failure.ts';
import type { DeliveryFailure } from '../ports/webhooks.ts';

// The answer to one request over a connection that is used for one at a time: RFC 9112 as strictly as it is written, since
// whoever is that wrong about its framing can not be followed to the next answer. A client for all of HTTP (undici) made a
// delivery over a used connection cost a fifth more CPU, and a sender of new ones 50 MB more.

const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;
/** Also what never becomes body: the extensions of chunks, the overhead of tiny ones. */
const MAX_WIRE_BYTES = MAX_BODY_BYTES + MAX_HEAD_BYTES;
const KEPT_BYTES = 1024;
/** Interim answers (103 and the like) before the real one. */
const MAX_INTERIM = 8;
const END_OF_LINE = '\r\n';
const END_OF_HEAD = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** What came, as far as it came. */
export type Answer = {
  status: number | null;
  /** Null for an answer of the kind that counts as success. */
  failure: DeliveryFailure | null;
  text: string | null;
};

type Part = 'head' | 'counted' | 'chunk size' | 'chunk' | 'end of chunk' | 'trailers' | 'until the end' | 'over';

/** Reads as it comes. What is not HTTP, or too much, is thrown as AttemptFailed. */
export class AnswerReader {
  readonly #answer: Answer;
  #part: Part = 'head';
  /** Came, and not read yet. */
  #held: Buffer = NOTHING;
  /** Of the body's part that is being read. */
  #left = 0;
  #wireBytes = 0;
  #bodyBytes = 0;
  #interim = 0;
  #kept: Buffer[] = [];
  /** Whether the other side keeps the connection for another request, and for how long if it says so. */
  keeps = false;
  keepsMs = Infinity;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** True when the answer is whole. */
  read(chunk: Buffer): boolean {
    this.#wireBytes += chunk.length;
    if (this.#wireBytes > MAX_WIRE_BYTES) throw new AttemptFailed('too_large');
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#part !== 'over' && this.#readPart());
    if (this.#part !== 'over') return false;
    // What comes without a question belongs to no later one.
    if (this.#held.length > 0) this.keeps = false;
    return true;
  }

  /** The other side says no more. True when the answer is whole by that. */
  end(): boolean {
    if (this.#part !== 'until the end') return false;
    this.#part = 'over';
    return true;
  }

  /** The first KB of the body. */
  text(): string {
    return this.#kept.length === 0 ? '' : harmless(this.#kept, this.#bodyBytes > KEPT_BYTES);
  }

  /** False when it takes more bytes. */
  #readPart(): boolean {
    switch (this.#part) {
      case 'head':
        return this.#readHead();
      case 'counted':
      case 'chunk':
        return this.#readBody(this.#part === 'chunk' ? 'end of chunk' : 'over');
      case 'until the end':
        this.#left = Infinity;
        return this.#readBody('over');
      case 'chunk size':
        return this.#readChunkSize();
      case 'end of chunk':
        if (this.#held.length < END_OF_LINE.length) return false;
        if (this.#takeLine() !== '') throw malformed();
        this.#part = 'chunk size';
        return true;
      case 'trailers':
        return this.#readTrailer();
      case 'over':
        return false;
    }
  }

  /** Null when the line has not ended yet. */
  #takeLine(): string | null {
    const end = this.#held.indexOf(END_OF_LINE, 0, 'latin1');
    if (end === -1) return null;
    const line = this.#held.toString('latin1', 0, end);
    this.#held = this.#held.subarray(end + END_OF_LINE.length);
    return line;
  }

  #readHead(): boolean {
    const end = this.#held.indexOf(END_OF_HEAD, 0, 'latin1');
    const size = end === -1 ? this.#held.length : end;
    if (size > MAX_HEAD_BYTES) throw new AttemptFailed('too_large');
    if (end === -1) return false;
    const head = readHead(this.#held.toString('latin1', 0, end));
    this.#held = this.#held.subarray(end + END_OF_HEAD.length);
    const { status } = head;
    if (status < 200) {
      // Neither was asked for.
      if (status === 100 || status === 101) throw malformed();
      this.#interim += 1;
      if (this.#interim > MAX_INTERIM) throw new AttemptFailed('too_large');
      return true;
    }
    this.#answer.status = status;
    this.#answer.failure = failureOf(status, head.type);
    this.keeps = head.keeps;
    this.keepsMs = head.keepsMs;
    this.#left = head.length ?? 0;
    this.#part = framing(head);
    return true;
  }

  #readBody(next: Part): boolean {
    if (this.#held.length === 0) return false;
    const piece = this.#held.subarray(0, Math.min(this.#left, this.#held.length));
    this.#held = this.#held.subarray(piece.length);
    this.#left -= piece.length;
    if (this.#bodyBytes < KEPT_BYTES) this.#kept.push(piece.subarray(0, KEPT_BYTES - this.#bodyBytes));
    this.#bodyBytes += piece.length;
    if (this.#bodyBytes > MAX_BODY_BYTES) throw new AttemptFailed('too_large');
    if (this.#left > 0) return false;
    this.#part = next;
    return true;
  }

  #readChunkSize(): boolean {
    const line = this.#takeLine();
    if (line === null) return false;
    const [, size] = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
    if (size === undefined) throw malformed();
    this.#left = Number.parseInt(size, 16);
    this.#part = this.#left === 0 ? 'trailers' : 'chunk';
    return true;
  }

  #readTrailer(): boolean {
    const line = this.#takeLine();
    if (line === null) return false;
    if (line === '') this.#part = 'over';
    return true;
  }
}

function malformed(): AttemptFailed {
  return new AttemptFailed('connection');
}

type Head = {
  status: number;
  /** Null without one, or with several. */
  type: string | null;
  length: number | null;
  chunked: boolean;
  /** A coding that says nothing of where the body ends. */
  coded: boolean;
  keeps: boolean;
  keepsMs: number;
};

/** Where the body ends. */
function framing({ status, chunked, coded, length }: Head): Part {
  if (status === 204 || status === 304) return 'over';
  if (chunked) return 'chunk size';
  if (coded || length === null) return 'until the end';
  return length === 0 ? 'over' : 'counted';
}

/**
 * A status line and fields, each on a line of its own. A line feed or carriage return by itself, or a NUL, means one thing to
 * one reader and another to the next.
 */
const WELL_FORMED = /^http\/1\.([01]) ([1-9]\d\d)(?: [^\r\n\0]*)?(?:\r\n[!#$%&'*+.^_`|~\w-]+:[^\r\n\0]*)*$/;

function readHead(text: string): Head {
  // Nothing that is asked for below differs by case.
  const lower = text.toLowerCase();
  const [, minor, status] = WELL_FORMED.exec(lower) ?? [];
  if (status === undefined || !text.startsWith('HTTP')) throw malformed();
  const [type, ...otherTypes] = valuesOf(lower, '\r\ncontent-type:');
  const [length, ...otherLengths] = valuesOf(lower, '\r\ncontent-length:');
  const codings = valuesOf(lower, '\r\ntransfer-encoding:');
  const connection = valuesOf(lower, '\r\nconnection:').join(', ');
  const [, seconds] = /timeout=(\d{1,9})/.exec(valuesOf(lower, '\r\nkeep-alive:').join(', ')) ?? [];
  if (length !== undefined && (codings.length > 0 || otherLengths.length > 0 || !/^\d{1,15}$/.test(length)))
    throw malformed();
  const chunked = codings.length > 0 && /(?:^|[, \t])chunked$/.test(codings.join(', '));
  const head = {
    status: Number(status),
    // Of several types none is meant.
    type: type === undefined || otherTypes.length > 0 ? null : type,
    length: length === undefined ? null : Number(length),
    chunked,
    coded: codings.length > 0 && !chunked,
    keeps: minor === '1' ? !connection.includes('close') : connection.includes('keep-alive'),
    keepsMs: seconds === undefined ? Infinity : Number(seconds) * 1000,
  };
  if (framing(head) === 'until the end') head.keeps = false;
  return head;
}

const NONE: string[] = [];

/** Of a field that is named with the end of the line before it and the colon after it, since a name may be part of another. */
function valuesOf(head: string, name: string): string[] {
  let at = head.indexOf(name);
  if (at === -1) return NONE;
  const values: string[] = [];
  for (; at !== -1; at = head.indexOf(name, at + name.length)) {
    const end = head.indexOf(END_OF_LINE, at + name.length);
    values.push(head.slice(at + name.length, end === -1 ? undefined : end).trim());
  }
  return values;
}

/** 2xx with a type that the specification names is success, whatever the body says. */
function failureOf(status: number, type: string | null): DeliveryFailure | null {
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400) return 'status';
  const media = type?.split(';')[0]?.trim().toLowerCase();
  return media === 'text/plain' || media === 'application/json' ? null : 'content_type';
}

/**
 * The start of an answer as text that may be stored and shown: no control characters (PostgreSQL takes no NUL, terminals
 * obey escapes) and none that turn the direction of what stands around it.
 */
function harmless(chunks: Buffer[], cut: boolean): string {
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  // What is nearly always there, without a look at each character.
  const plain = bytes.toString('latin1');
  if (/^[\n\t\x20-\x7e]*$/.test(plain)) return plain;
  // Cut in the middle of a character, its half is left out.
  const text = new TextDecoder('utf-8').decode(bytes, { stream: cut });
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character === '\n' || character === '\t' ? character : '\u{fffd}',
    );
}

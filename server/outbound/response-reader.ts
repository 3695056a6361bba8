import { printableText } from './printable-text.ts';
import { RequestError } from './request-failure.ts';
import { parseHead } from './response-head.ts';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;
/** Also covers bytes that never become body: chunk extensions and the overhead of tiny chunks. */
const MAX_WIRE_BYTES = MAX_BODY_BYTES + MAX_HEAD_BYTES;
const KEPT_BYTES = 1024;
/** Interim responses, such as 103, before the final one. */
const MAX_INTERIM = 8;
const END_OF_LINE = '\r\n';
const END_OF_HEAD = '\r\n\r\n';

/** The part of a response that is known so far. */
export type HttpResponse = {
  status: number | null;
  /** Lowercase; null when the header is missing or duplicated. */
  contentType: string | null;
  /** The first KB of the body as printable text; null before the head has arrived. */
  text: string | null;
};

type State = 'head' | 'body' | 'chunk size' | 'chunk' | 'end of chunk' | 'trailers' | 'body until close' | 'complete';

/**
 * Reads one HTTP/1.1 response from the bytes of a connection, as they arrive. `response` receives the status and content
 * type as soon as the head is complete. Every method throws RequestError: `connection` for malformed HTTP, `too_large`
 * beyond 64 KB of body or 16 KB of everything else.
 */
export class ResponseReader {
  /** Whether the server keeps the connection open for another request, and for how long. */
  keepAlive = false;
  keepAliveMs = Infinity;
  readonly #response: HttpResponse;
  #state: State = 'head';
  /** Bytes that arrived and are not parsed yet. */
  #pending: Buffer = Buffer.alloc(0);
  /** Missing bytes of the body or of the current chunk. */
  #missing = 0;
  #wireBytes = 0;
  #bodyBytes = 0;
  #interimCount = 0;
  #kept: Buffer[] = [];

  constructor(response: HttpResponse) {
    this.#response = response;
  }

  /** Returns true when the response is complete. */
  read(bytes: Buffer): boolean {
    this.#wireBytes += bytes.length;
    if (this.#wireBytes > MAX_WIRE_BYTES) throw new RequestError('too_large');
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#state !== 'complete' && this.#readNext());
    if (this.#state !== 'complete') return false;
    // Unrequested bytes after a response must not become the answer to the next request.
    if (this.#pending.length > 0) this.keepAlive = false;
    return true;
  }

  /** Handles the end of the server's stream. Returns true when that completes the response. */
  end(): boolean {
    if (this.#state !== 'body until close') return false;
    this.#state = 'complete';
    return true;
  }

  /** Returns the first KB of the body. */
  text(): string {
    return printableText(Buffer.concat(this.#kept), { truncated: this.#bodyBytes > KEPT_BYTES });
  }

  /** Returns false when more bytes are needed. */
  #readNext(): boolean {
    switch (this.#state) {
      case 'head':
        return this.#readHead();
      case 'body':
        return this.#readBody('complete');
      case 'body until close':
        this.#missing = Infinity;
        return this.#readBody('complete');
      case 'chunk size':
        return this.#readChunkSize();
      case 'chunk':
        return this.#readBody('end of chunk');
      case 'end of chunk':
        return this.#readChunkEnd();
      case 'trailers':
        return this.#readTrailer();
      case 'complete':
        return false;
    }
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf(END_OF_HEAD, 0, 'latin1');
    const size = end === -1 ? this.#pending.length : end;
    if (size > MAX_HEAD_BYTES) throw new RequestError('too_large');
    if (end === -1) return false;
    const head = parseHead(this.#pending.toString('latin1', 0, end));
    this.#pending = this.#pending.subarray(end + END_OF_HEAD.length);
    if (head.status < 200) {
      this.#skipInterim(head.status);
      return true;
    }
    this.#response.status = head.status;
    this.#response.contentType = head.contentType;
    this.keepAlive = head.keepAlive;
    this.keepAliveMs = head.keepAliveMs;
    this.#missing = head.length;
    this.#state = (
      { 'no body': 'complete', length: 'body', chunked: 'chunk size', 'until close': 'body until close' } as const
    )[head.framing];
    return true;
  }

  #skipInterim(status: number): void {
    // The client asks for neither 100 Continue nor a protocol upgrade.
    if (status === 100 || status === 101) throw new RequestError('connection');
    this.#interimCount += 1;
    if (this.#interimCount > MAX_INTERIM) throw new RequestError('too_large');
  }

  #readBody(next: State): boolean {
    if (this.#pending.length === 0) return false;
    const piece = this.#pending.subarray(0, Math.min(this.#missing, this.#pending.length));
    this.#pending = this.#pending.subarray(piece.length);
    this.#missing -= piece.length;
    if (this.#bodyBytes < KEPT_BYTES) this.#kept.push(piece.subarray(0, KEPT_BYTES - this.#bodyBytes));
    this.#bodyBytes += piece.length;
    if (this.#bodyBytes > MAX_BODY_BYTES) throw new RequestError('too_large');
    if (this.#missing > 0) return false;
    this.#state = next;
    return true;
  }

  #readChunkSize(): boolean {
    const line = this.#takeLine();
    if (line === null) return false;
    const [, size] = /^([\da-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
    if (size === undefined) throw new RequestError('connection');
    this.#missing = Number.parseInt(size, 16);
    this.#state = this.#missing === 0 ? 'trailers' : 'chunk';
    return true;
  }

  #readChunkEnd(): boolean {
    if (this.#pending.length < END_OF_LINE.length) return false;
    if (this.#takeLine() !== '') throw new RequestError('connection');
    this.#state = 'chunk size';
    return true;
  }

  #readTrailer(): boolean {
    const line = this.#takeLine();
    if (line === null) return false;
    if (line === '') this.#state = 'complete';
    return true;
  }

  /** Returns null until a whole line has arrived. */
  #takeLine(): string | null {
    const end = this.#pending.indexOf(END_OF_LINE, 0, 'latin1');
    if (end === -1) return null;
    const line = this.#pending.toString('latin1', 0, end);
    this.#pending = this.#pending.subarray(end + END_OF_LINE.length);
    return line;
  }
}

import { RequestError } from './request-failure.ts';

/** How the end of the body is found. */
export type Framing = 'no body' | 'length' | 'chunked' | 'until close';

export type ResponseHead = {
  status: number;
  /** Null when the response has no Content-Type header, or several. */
  contentType: string | null;
  framing: Framing;
  /** In bytes; 0 unless the framing is `length`. */
  length: number;
  /** Whether the server keeps the connection open for another request. */
  keepAlive: boolean;
  /** How long the server keeps it open; Infinity when it does not say. */
  keepAliveMs: number;
};

/**
 * A status line and headers, each on its own line. Parsers disagree about a lone line feed, a lone carriage return, and
 * NUL, so all three are rejected.
 */
const WELL_FORMED = /^http\/1\.([01]) ([1-9]\d\d)(?: [^\r\n\0]*)?(?:\r\n[!#$%&'*+.^_`|~\w-]+:[^\r\n\0]*)*$/;

/**
 * Parses a response's status line and headers as strictly as RFC 9112 allows: after a framing mistake, nothing tells
 * where the next response begins.
 *
 * @throws RequestError `connection` for a malformed head
 */
export function parseHead(text: string): ResponseHead {
  // None of the headers read here is case-sensitive.
  const lower = text.toLowerCase();
  const [, minor, status] = WELL_FORMED.exec(lower) ?? [];
  if (status === undefined || !text.startsWith('HTTP')) throw new RequestError('connection');
  const headers = parseHeaders(lower);
  const connection = valuesOf(headers, 'connection').join(', ');
  const [, seconds] = /timeout=(\d{1,9})/.exec(valuesOf(headers, 'keep-alive').join(', ')) ?? [];
  const { framing, length } = framingOf(Number(status), headers);
  const offered = minor === '1' ? !connection.includes('close') : connection.includes('keep-alive');
  return {
    status: Number(status),
    contentType: singleValue(headers, 'content-type'),
    framing,
    length,
    keepAlive: offered && framing !== 'until close',
    keepAliveMs: seconds === undefined ? Infinity : Number(seconds) * 1000,
  };
}

function framingOf(status: number, headers: Map<string, string[]>): Pick<ResponseHead, 'framing' | 'length'> {
  const lengths = valuesOf(headers, 'content-length');
  const codings = valuesOf(headers, 'transfer-encoding');
  const [length] = lengths;
  if (length !== undefined && (codings.length > 0 || lengths.length > 1 || !/^\d{1,15}$/.test(length)))
    throw new RequestError('connection');
  if (status === 204 || status === 304) return { framing: 'no body', length: 0 };
  if (/(?:^|[, \t])chunked$/.test(codings.join(', '))) return { framing: 'chunked', length: 0 };
  if (length === undefined) return { framing: 'until close', length: 0 };
  return Number(length) === 0 ? { framing: 'no body', length: 0 } : { framing: 'length', length: Number(length) };
}

function parseHeaders(head: string): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    const values = headers.get(name);
    if (values) values.push(value);
    else headers.set(name, [value]);
  }
  return headers;
}

function valuesOf(headers: Map<string, string[]>, name: string): string[] {
  return headers.get(name) ?? [];
}

/** A duplicate header counts as absent. */
function singleValue(headers: Map<string, string[]>, name: string): string | null {
  const [value, ...others] = valuesOf(headers, name);
  return value === undefined || others.length > 0 ? null : value;
}

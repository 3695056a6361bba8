import { RequestError } from './request-failure.ts';

export type PostRequest = {
  host: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
};

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** No control characters: a line break would start another header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Returns the bytes of an HTTP/1.1 POST request.
 *
 * @throws RequestError `connection` for a malformed header
 */
export function requestBytes({ host, path, headers, body }: PostRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new RequestError('connection');
    return `${name}: ${value}\r\n`;
  });
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  const start = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  const head = `${start}${lines.join('')}content-length: ${content.length}\r\n\r\n`;
  // One buffer becomes one TLS record and one packet.
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

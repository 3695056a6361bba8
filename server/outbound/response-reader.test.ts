import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestError } from './request-failure.ts';
import { type HttpResponse, ResponseReader } from './response-reader.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';

type Read = HttpResponse & { whole: boolean; keeps: boolean };

/** Reads a response in pieces of `size` bytes. `ends`: the server then ends its stream. */
function read(text: string, { size = Infinity, ends = false } = {}): Read {
  const response: HttpResponse = { status: null, contentType: null, text: null };
  const reader = new ResponseReader(response);
  const bytes = Buffer.from(text, 'latin1');
  let whole = false;
  for (let at = 0; at < bytes.length && !whole; at += size)
    whole = reader.read(bytes.subarray(at, Math.min(at + size, bytes.length)));
  if (!whole && ends) whole = reader.end();
  return { ...response, text: reader.text(), whole, keeps: reader.keepAlive };
}

const failureOf = (text: string, options = {}) => {
  try {
    return read(text, options).whole ? 'whole' : 'more';
  } catch (error) {
    assert.ok(error instanceof RequestError);
    return error.failure;
  }
};

test('reads a response alike in one piece and byte by byte', () => {
  const ok = { status: 200, contentType: 'text/plain', text: 'ok', whole: true, keeps: true };
  const cases: [text: string, expected: Partial<Read>, ends?: boolean][] = [
    [`${HEAD}content-length: 2\r\n\r\nok`, ok],
    [`${HEAD}Content-Length:2\t\r\nX-Other:\r\n\r\nok`, ok],
    [`${HEAD}content-length: 2\r\nconnection: close\r\n\r\nok`, { ...ok, keeps: false }],
    [`${HEAD}content-length: 0\r\n\r\n`, { ...ok, text: '' }],
    [`${HEAD}transfer-encoding: chunked\r\n\r\n1\r\no\r\n1;a="b"\r\nk\r\n0\r\n\r\n`, ok],
    [`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\na: b\r\nc: d\r\n\r\n`, ok],
    [`${HEAD}transfer-encoding: gzip, chunked\r\n\r\n0002\r\nok\r\n000\r\n\r\n`, ok],
    [`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${HEAD}content-length: 2\r\n\r\nok`, ok],
    [`${HEAD}\r\nok`, { ...ok, keeps: false }, true],
    [`${HEAD}transfer-encoding: gzip\r\n\r\nok`, { ...ok, keeps: false }, true],
    [HEAD.replace('1.1', '1.0') + 'content-length: 2\r\n\r\nok', { ...ok, keeps: false }],
    [HEAD.replace('1.1', '1.0') + 'connection: Keep-Alive\r\ncontent-length: 2\r\n\r\nok', ok],
    ['HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', { status: 204, contentType: null, whole: true }],
    ['HTTP/1.1 304\r\n\r\n', { status: 304, contentType: null, whole: true, keeps: true }],
    ['HTTP/1.1 410 Gone\r\ncontent-length: 2\r\n\r\nno', { status: 410, contentType: null, text: 'no', whole: true }],
  ];
  for (const [text, expected, ends = false] of cases) {
    for (const size of [Infinity, 7, 1]) assert.partialDeepStrictEqual(read(text, { size, ends }), expected, text);
    // The last byte is required.
    if (!ends) assert.equal(failureOf(text.slice(0, -1), { ends: true }), 'more', text);
  }
});

test('rejects malformed framing', () => {
  const wrong = [
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/2 200 OK\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'SSH-2.0-OpenSSH\r\n\r\n',
    ' HTTP/1.1 200 OK\r\n\r\n',
    `${HEAD}content-length: 2\r\ncontent-length: 2\r\n\r\nok`,
    `${HEAD}content-length: 2, 2\r\n\r\nok`,
    `${HEAD}content-length: +2\r\n\r\nok`,
    `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${HEAD}content-length: 2\r\ntransfer-encoding:\r\n\r\nok`,
    'http/1.1 200 OK\r\n\r\n',
    `${HEAD}x\r\n\r\n`,
    `${HEAD} folded: x\r\n\r\n`,
    `${HEAD}x : y\r\n\r\n`,
    `${HEAD}x: y\nz: a\r\n\r\n`,
    `${HEAD}x: y\rz\r\n\r\n`,
    `${HEAD}x: \0\r\n\r\n`,
    `${HEAD}transfer-encoding: chunked\r\n\r\nx\r\n`,
    `${HEAD}transfer-encoding: chunked\r\n\r\n-1\r\n`,
    `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\noXX\r\n`,
    `${HEAD}transfer-encoding: chunked\r\n\r\n123456789\r\n`,
  ];
  for (const text of wrong)
    for (const size of [Infinity, 1]) assert.equal(failureOf(text, { size }), 'connection', JSON.stringify(text));
});

test('stops reading a response that is too large', () => {
  const long = 'x'.repeat(70_000);
  const much = [
    `HTTP/1.1 200 OK\r\nx: ${long}`,
    `${HEAD}content-length: 70000\r\n\r\n${long}`,
    `${HEAD}\r\n${long}`,
    `${HEAD}transfer-encoding: chunked\r\n\r\n1;${long}${long}`,
    `${HEAD}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(14_000)}`,
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9),
  ];
  for (const text of much)
    for (const size of [Infinity, 1_000]) assert.equal(failureOf(text, { size }), 'too_large', text.slice(0, 80));
});

test('does not keep a connection that delivers bytes after the response', () => {
  const good = `${HEAD}content-length: 2\r\n\r\nok`;
  assert.partialDeepStrictEqual(read(good + good), { whole: true, text: 'ok', keeps: false });
  assert.partialDeepStrictEqual(read(`${good}x`), { whole: true, keeps: false });
});

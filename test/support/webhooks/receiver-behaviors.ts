import type { IncomingMessage, ServerResponse } from 'node:http';

// The behaviors of a receiver, by the first segment of the path: `/ok`, `/ok/agent-7`, `/slow?ms=800`. Each is called after
// the request was read completely.

type Behavior = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => void;

const TEXT = { 'content-type': 'text/plain' };

function repeated(response: ServerResponse, chunk: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => response.write(chunk), everyMs);
  response.on('close', () => clearInterval(timer));
}

/** Writes as fast as the client reads. */
function flood(response: ServerResponse, write: () => boolean): void {
  const more = () => {
    while (!response.destroyed && write());
  };
  response.socket?.on('drain', more);
  more();
}

const behaviors: Record<string, Behavior> = {
  '/ok': (_request, response) => response.writeHead(200, TEXT).end('ok'),
  '/json': (_request, response) =>
    response.writeHead(202, { 'content-type': 'application/json; charset=utf-8' }).end('{"ok":true}'),
  '/no-content': (_request, response) => response.writeHead(204).end(),
  '/hostile-text': (_request, response) =>
    response.writeHead(200, TEXT).end('a\0b\u001b[31mred\u009b\r\nnext\tline \u202etxt.exe\u2066 \u007f end'),
  '/html': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>ok</p>'),
  '/status': (_request, response, query) => response.writeHead(Number(query.get('code')), TEXT).end('no'),
  '/gone': (_request, response) => response.writeHead(410, TEXT).end('gone'),
  '/fail': (_request, response) => response.writeHead(500, TEXT).end('failed'),
  '/redirect': (_request, response, query) =>
    response.writeHead(Number(query.get('code') ?? 302), { ...TEXT, location: query.get('to') ?? '/ok' }).end(),
  /** Responds after `ms`. */
  '/slow': (_request, response, query) =>
    setTimeout(() => response.writeHead(200, TEXT).end('ok'), Number(query.get('ms') ?? 1000)),
  '/never': () => {},
  /** Sends a head, one byte every 100 ms. */
  '/slow-headers': (_request, response) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nx-filler: ' + 'x'.repeat(10_000);
    let at = 0;
    const timer = setInterval(() => response.socket?.write(head.charAt(at++)), 100);
    response.socket?.on('close', () => clearInterval(timer));
  },
  /** Sends a valid head and a slow endless body. */
  '/drip': (_request, response) => {
    response.writeHead(200, TEXT).write('.');
    repeated(response, '.', 100);
  },
  '/endless': (_request, response) => {
    response.writeHead(200, TEXT);
    flood(response, () => response.write('x'.repeat(16_384)));
  },
  /** Sends an endless chunk extension and no body. */
  '/endless-extension': (_request, response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n5;a=');
    flood(response, () => response.socket?.write('x'.repeat(16_384)) ?? false);
  },
  '/endless-interim': (_request, response) =>
    flood(response, () => response.socket?.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n') ?? false),
  '/huge-headers': (_request, response) =>
    response.writeHead(200, { ...TEXT, 'x-filler': 'x'.repeat(100_000) }).end('ok'),
  '/many-headers': (_request, response) => {
    for (let at = 0; at < 5_000; at += 1) response.setHeader(`x-filler-${at}`, 'x');
    response.writeHead(200, TEXT).end('ok');
  },
  /** Sends a body of `bytes` bytes. */
  '/body': (_request, response, query) =>
    response.writeHead(Number(query.get('code') ?? 200), TEXT).end('é'.repeat(Number(query.get('bytes')) / 2)),
  /** Closes the connection after the request. */
  '/reset': (_request, response) => response.socket?.destroy(),
  /** Closes the connection in the middle of the response. */
  '/cut': (_request, response) => {
    response.writeHead(200, { ...TEXT, 'content-length': '100' }).write('half');
    setTimeout(() => response.socket?.destroy(), 20);
  },
  '/not-http': (_request, response) => response.socket?.end('220 mail.example ESMTP\r\n'),
  '/upgrade': (_request, response) =>
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  '/two-lengths': (_request, response) =>
    response.socket?.write(
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok!',
    ),
};

export function behave(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'https://receiver');
  response.on('error', () => {});
  const behavior = behaviors[`/${url.pathname.split('/')[1]}`];
  if (behavior) behavior(request, response, url.searchParams);
  else response.writeHead(404, TEXT).end('no such behavior');
}

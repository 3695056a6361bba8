import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export type HttpRequest = { path: string; body: string; headers: IncomingHttpHeaders };
export type HttpAnswer = (request: HttpRequest, response: ServerResponse) => unknown;

/** Starts a server on the loopback address and closes it with the test file. Returns its URL. */
export async function serveHttp(answer: HttpAnswer): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const { url: path = '', headers } = request;
    request.on('end', () => void answer({ path, body: Buffer.concat(chunks).toString(), headers }, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export type RpcRequest = { id: number; method: string; params: unknown[] };

/** Starts a proxy to the node. Requests that `answer` handles (it returns true) do not reach the node. */
export function rpcProxy(
  target: string,
  answer: (request: RpcRequest, response: ServerResponse) => boolean | Promise<boolean>,
): Promise<string> {
  return serveHttp(async ({ body }, response) => {
    if (await answer(JSON.parse(body) as RpcRequest, response)) return;
    const forwarded = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    sendJson(response, 200, await forwarded.json());
  });
}

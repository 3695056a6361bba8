import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export type HttpRequest = { path: string; body: string; headers: IncomingHttpHeaders };
export type HttpAnswer = (request: HttpRequest, response: ServerResponse) => unknown;

/** A server. After `pause`, it refuses connections until `resume`. Its address stays the same. */
export type PausableServer = { url: string; pause(): Promise<void>; resume(): Promise<void> };

/** Starts a server on the loopback address and closes it with the test file. */
export async function startHttp(listener: RequestListener): Promise<PausableServer> {
  const server = createServer(listener);
  let port = 0;
  const resume = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await resume();
  after(pause);
  return { url: `http://127.0.0.1:${port}`, pause, resume };
}

/** Returns a listener that reads each request to its end before it answers. */
export function reading(answer: HttpAnswer): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const { url: path = '', headers } = request;
    request.on('end', () => void answer({ path, body: Buffer.concat(chunks).toString(), headers }, response));
  };
}

/** Starts a server as `startHttp` does, and returns its URL. */
export async function serveHttp(answer: HttpAnswer): Promise<string> {
  return (await startHttp(reading(answer))).url;
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

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** One delivery of an event of the log. `raw`: its body as it arrived. */
export type ReceivedEvent = {
  path: string;
  headers: IncomingHttpHeaders;
  body: { event: string; id: string; test?: boolean; data: unknown };
  raw: string;
};

/**
 * Starts a receiver on loopback, to which a development start delivers. The path chooses its answer: one that begins with
 * `/410` or `/500` gets this status and a long text, any other gets 200.
 */
export async function localReceiver(): Promise<{ address: string; received: ReceivedEvent[] }> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: JSON.parse(raw) as ReceivedEvent['body'], raw });
      const [, status] = /^\/(\d{3})/.exec(path) ?? [];
      const text = status ? 'x'.repeat(3000) : 'thanks';
      response.writeHead(Number(status ?? 200), { 'content-type': 'text/plain' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close().closeAllConnections());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

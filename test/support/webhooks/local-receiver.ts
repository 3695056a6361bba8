import type { IncomingHttpHeaders } from 'node:http';
import { serveHttp } from '../servers/http-server.ts';

/** One delivery of an event of the log. `raw`: its body as it arrived. */
type ReceivedEvent = {
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
  const address = await serveHttp(({ path, headers, body: raw }, response) => {
    received.push({ path, headers, body: JSON.parse(raw) as ReceivedEvent['body'], raw });
    const [, status] = /^\/(\d{3})/.exec(path) ?? [];
    const text = status ? 'x'.repeat(3000) : 'thanks';
    response.writeHead(Number(status ?? 200), { 'content-type': 'text/plain' }).end(text);
  });
  return { address, received };
}

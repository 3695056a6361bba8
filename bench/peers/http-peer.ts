import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child.ts';

// The plain node:http server of the comparison. It answers every request with the same head and body.

export type Answer = { status: number; headers: Record<string, string>; body: Uint8Array };

let answer: Answer = { status: 200, headers: {}, body: new Uint8Array() };

const server = createServer((_request, response) => {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
});
server.listen({ host: '127.0.0.1', port: 0 });

answerParent(async (next: Answer): Promise<{ port: number }> => {
  answer = next;
  return { port: (server.address() as AddressInfo).port };
});

import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child.ts';

// A node far away: a proxy to the chain that answers after a delay.

const { rpcUrl } = JSON.parse(process.argv[2] ?? '{}') as { rpcUrl: string };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let delayMs = 0;

const server = createServer((incoming, outgoing) => {
  setTimeout(() => {
    const { method, headers } = incoming;
    const asked = request(rpcUrl, { method, agent, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  }, delayMs);
});
server.listen(0, '127.0.0.1');

export type NodeQuestion = { delayMs?: number };
export type NodeAnswer = { url: string };

answerParent(async (question: NodeQuestion): Promise<NodeAnswer> => {
  delayMs = question.delayMs ?? delayMs;
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
});

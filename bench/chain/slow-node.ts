import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child.ts';

// A node far away: a proxy to the chain that answers after a delay, and counts the JSON-RPC calls by method.

const { rpcUrl } = JSON.parse(process.argv[2] ?? '{}') as { rpcUrl: string };
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let delayMs = 0;
let calls = new Map<string, number>();

const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const body = Buffer.concat(chunks);
    const parsed = JSON.parse(body.toString()) as { method: string } | { method: string }[];
    for (const { method } of Array.isArray(parsed) ? parsed : [parsed]) calls.set(method, (calls.get(method) ?? 0) + 1);
    const forward = () => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const asked = request(rpcUrl, { method: 'POST', agent, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
        answer.pipe(outgoing);
      });
      asked.on('error', () => outgoing.destroy());
      asked.end(body);
    };
    if (delayMs === 0) forward();
    else setTimeout(forward, delayMs);
  });
});
server.listen(0, '127.0.0.1');

export type NodeQuestion = { delayMs?: number; count?: 'reset' | 'read' };
export type NodeAnswer = { port: number; calls: Record<string, number>; total: number };

answerParent(async (question: NodeQuestion): Promise<NodeAnswer> => {
  delayMs = question.delayMs ?? delayMs;
  const answer = {
    port: (server.address() as AddressInfo).port,
    calls: Object.fromEntries(calls),
    total: [...calls.values()].reduce((sum, each) => sum + each, 0),
  };
  if (question.count === 'reset') calls = new Map();
  return answer;
});

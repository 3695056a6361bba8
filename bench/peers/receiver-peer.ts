import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child.ts';

// The endpoints of a fan-out. They answer after 200 ms, as receivers far away do.

const ANSWER_AFTER_MS = 200;

/** `perSecond`: between the first and the last request. */
export type Received = { perSecond: number; bodyBytes: number };

let onRequest = (_bodyBytes: number) => {};

const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    onRequest(bytes);
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('ok'), ANSWER_AFTER_MS);
  });
});
server.listen(0, '0.0.0.0');

function receive(expected: number): Promise<Received> {
  return new Promise((resolve) => {
    let count = 0;
    let startedAt = 0;
    onRequest = (bodyBytes) => {
      if (count === 0) startedAt = performance.now();
      count += 1;
      if (count === expected) resolve({ perSecond: (expected / (performance.now() - startedAt)) * 1000, bodyBytes });
    };
  });
}

answerParent(async ({ expect }: { expect?: number }): Promise<object> =>
  expect === undefined ? { port: (server.address() as AddressInfo).port } : await receive(expect),
);

import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child.ts';
import { giveWay } from '../give-way.ts';

// Webhook receivers in a separate process. Subscriber 7 is `/ok/7` under any name, or `/tarpit/7` if it never responds.
// `/ok` belongs to no subscriber. The receivers count deliveries by subscriber and record the first arrival.

export type ReceiverSettings = { key: string; cert: string };
export type ReceiverQuestion =
  | { kind: 'listen' }
  /** Counts this event from now on. */
  | { kind: 'expect'; eventId: string; subscribers: number }
  | { kind: 'progress' }
  | { kind: 'report' };
export type Progress = { reached: number };
export type ReceiverReport = Progress & {
  /** How many TLS connections were opened. */
  connections: number;
  /** How often the event arrived, by subscriber. */
  counts: Uint16Array;
  /** When the event first arrived, in milliseconds since 1970; 0 if it did not. */
  at: Float64Array;
  /** Requests with another `webhook-id`. */
  strangers: number;
};

// Lower priority, because they stand for other machines: the service and its database must not wait for them.
giveWay();

const settings = JSON.parse(process.argv[2] ?? '{}') as ReceiverSettings;
const ANSWER = { 'content-type': 'text/plain', 'content-length': '2' };

let expected = '';
let report: ReceiverReport = nothing(0);

function nothing(subscribers: number): ReceiverReport {
  return {
    reached: 0,
    connections: 0,
    counts: new Uint16Array(subscribers),
    at: new Float64Array(subscribers),
    strangers: 0,
  };
}

function note(subscriber: number, id: unknown): void {
  if (id !== expected) {
    report.strangers += 1;
    return;
  }
  const before = report.counts[subscriber] ?? 0;
  report.counts[subscriber] = before + 1;
  if (before > 0) return;
  report.reached += 1;
  report.at[subscriber] = performance.timeOrigin + performance.now();
}

const server = createServer({ ...settings, keepAliveTimeout: 60_000 }, (request, response) => {
  const [, behavior, subscriber] = (request.url ?? '').split('/');
  request.on('error', () => {});
  request.resume();
  request.once('end', () => {
    if (subscriber !== undefined) note(Number(subscriber), request.headers['webhook-id']);
    if (behavior !== 'tarpit') response.writeHead(200, ANSWER).end('ok');
  });
});
server.on('secureConnection', () => (report.connections += 1));
server.on('tlsClientError', () => {});

answerParent(async (question: ReceiverQuestion): Promise<object> => {
  switch (question.kind) {
    case 'listen':
      server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
      await once(server, 'listening');
      return { port: (server.address() as AddressInfo).port };
    case 'expect':
      expected = question.eventId;
      report = nothing(question.subscribers);
      return {};
    case 'progress':
      return { reached: report.reached } satisfies Progress;
    case 'report':
      return report;
  }
});

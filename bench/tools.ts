import { type Child, cpuSeconds } from './child.ts';
import type { Load, LoadResult } from './load-generator.ts';
import type { StatementLoad, StatementResult, StatementRun } from './peers/statement-peer.ts';
import type { BenchWorld } from './bench-world.ts';

/** The number of concurrent requests or statements. */
const CONCURRENCY = 32;
/** The number of agents that read in turn. */
export const READERS = 100;

/** The processes that the measurements share, and values that they record on the side. */
export type Tools = {
  generator: Child;
  bareHttp: Child;
  statements: Child;
  rounds: number;
  durationMs: number;
  /** The share of a core that the load generator used in each run. Near 1, the generator is the bottleneck. */
  generatorBusy: number[];
  /** CPU time of the server under load, in microseconds per request. */
  cpuMicros: number[];
};

export type Target = { port: number; pid: number };

/** Measures the requests per second of a server. Each call continues after the last request of the previous call. */
export function httpLoad(tools: Tools, { port, pid }: Target, requests: string[], status = 200): () => Promise<number> {
  let from = 0;
  return async () => {
    const load: Load = { port, connections: CONCURRENCY, durationMs: tools.durationMs, requests, from, status };
    const before = await cpuSeconds(pid);
    const result = await tools.generator.ask<LoadResult>(load);
    from = result.next;
    tools.generatorBusy.push(result.busy);
    tools.cpuMicros.push((((await cpuSeconds(pid)) - before) / result.requests) * 1e6);
    return result.perSecond;
  };
}

/** Measures the service's statements per second, without the service. */
export function statementLoad(tools: Tools, run: StatementRun): () => Promise<number> {
  let from = 0;
  return async () => {
    const load: StatementLoad = { run, concurrency: CONCURRENCY, durationMs: tools.durationMs, from };
    const result = await tools.statements.ask<StatementResult>(load);
    from = result.next;
    return result.perSecond;
  };
}

/** Returns a GET request as bytes on the wire. */
export function getRequest({ service }: BenchWorld, path: string, key: string): string {
  return `GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

export function postRequest({ service }: BenchWorld, path: string, key: string, body: string): string {
  const head = `POST /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nAuthorization: Bearer ${key}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Makes the plain server send the same head and bytes as the service's last answer. */
export async function copyAnswer(world: BenchWorld, tools: Tools, path: string): Promise<Target & { bytes: number }> {
  const { key } = world.agents[0]!;
  const response = await fetch(`${world.service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  const body = new Uint8Array(await response.arrayBuffer());
  const own = new Set(['connection', 'date', 'keep-alive']);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
  const { port } = await tools.bareHttp.ask<{ port: number }>({ status: response.status, headers, body });
  return { port, pid: tools.bareHttp.pid, bytes: body.byteLength };
}

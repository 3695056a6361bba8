import { connect, type Socket } from 'node:net';
import { answerParent } from './child.ts';

// A client that needs a few microseconds per request, so that two cores measure the server and not the client. It uses
// plain sockets, prepared request bytes, and the Content-Length of answers. A general HTTP client costs as much as the
// server under test.

export type Load = {
  port: number;
  connections: number;
  durationMs: number;
  /** Complete requests as bytes on the wire. The client sends them in turn, starting at `from`. */
  requests: string[];
  from: number;
  /** Any other status ends the run, because fast refusals would distort the figure. */
  status: number;
  /** A refusal with 503 does not end the run: the connection waits for so many milliseconds, then goes on. */
  refusedForMs?: number;
};

export type LoadResult = {
  /** Answered as wanted, so without the refusals. */
  requests: number;
  /** Answered with 503. */
  refused: number;
  seconds: number;
  perSecond: number;
  /** The share of one core that this process used. Near 1, this process is the bottleneck. */
  busy: number;
  /** The index after the last request sent. */
  next: number;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('ontent-');
const READ_BYTES = 64 * 1024;
const REFUSED = 503;

answerParent(async (load: Load): Promise<LoadResult> => {
  const queue = load.requests.map((request) => Buffer.from(request));
  let next = load.from;
  let done = 0;
  let refused = 0;
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const endAt = startedAt + load.durationMs;
  const take = () => {
    if (performance.now() >= endAt) return null;
    const request = queue[next % queue.length];
    next += 1;
    return request ?? null;
  };
  const count = (status: number) => {
    if (status === load.status) done += 1;
    else refused += 1;
  };
  const loops = Array.from({ length: load.connections }, () => run(load, take, count));
  await Promise.all(loops);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { requests: done, refused, seconds, perSecond: done / seconds, busy: (user + system) / 1e6 / seconds, next };
});

/** Runs one connection: sends a request, reads its answer, and repeats. */
function run(load: Load, take: () => Buffer | null, onAnswer: (status: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0;
    let held: Buffer | null = null;
    let status = 0;
    const fail = (problem: string) => {
      socket.destroy();
      reject(new Error(problem));
    };
    const send = () => {
      const request = take();
      if (request) return socket.write(request);
      socket.destroy();
      return resolve();
    };
    const receive = (chunk: Buffer) => {
      if (missing > 0) {
        missing -= chunk.length;
      } else {
        const data = held === null ? chunk : Buffer.concat([held, chunk]);
        const headEnd = data.indexOf(HEAD_END);
        if (headEnd === -1) {
          held = Buffer.from(data);
          return;
        }
        held = null;
        status = Number(data.toString('latin1', 9, 12));
        const isRefusal = status === REFUSED && load.refusedForMs !== undefined;
        if (status !== load.status && !isRefusal) return fail(`status ${status}: ${data.toString('utf8', 0, 2000)}`);
        missing = bodyLength(data, headEnd) + headEnd + HEAD_END.length - data.length;
      }
      if (missing > 0) return;
      if (missing < 0) return fail('more bytes than one answer');
      onAnswer(status);
      if (status === load.status) send();
      else setTimeout(send, load.refusedForMs);
    };
    // Reuse one buffer. A stream allocates a new one of 64 KB for every read.
    const buffer = Buffer.alloc(READ_BYTES);
    const onread = {
      buffer,
      callback(length: number) {
        receive(buffer.subarray(0, length));
        return true;
      },
    };
    const socket: Socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true, onread });
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('end', () => fail('the server closed the connection'));
  });
}

/**
 * Returns the length in the Content-Length header, in any letter case. Every server of the benchmark sends that header.
 */
function bodyLength(data: Buffer, headEnd: number): number {
  for (let at = data.indexOf(LENGTH); at !== -1 && at < headEnd; at = data.indexOf(LENGTH, at + 1)) {
    const rest = data.toString('latin1', at + LENGTH.length, Math.min(at + 32, headEnd));
    const match = /^[Ll]ength: *(\d+)/.exec(rest);
    if (match) return Number(match[1]);
  }
  throw new Error(`an answer without Content-Length: ${data.toString('utf8', 0, headEnd)}`);
}

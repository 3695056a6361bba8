import { connect, type Socket } from 'node:net';
import { answerParent } from '../child.ts';

// A client that needs a few microseconds per request, so that two cores measure the server and not the client. It uses
// plain sockets, prepared request bytes, and the Content-Length of answers. A general HTTP client costs as much as the
// server under test.

export type HttpLoad = {
  port: number;
  connections: number;
  durationMs: number;
  /** Complete requests as bytes on the wire. The client sends them in turn, starting at `from`. */
  requests: string[];
  from: number;
  /** Any other status ends the run, because fast refusals would distort the figure. */
  status: number;
};
/** `busy`: the share of one core that this process used. Near 1, this process is the bottleneck. */
export type HttpLoaded = { perSecond: number; busy: number; next: number };

const HEAD_END = Buffer.from('\r\n\r\n');
const READ_BYTES = 64 * 1024;

answerParent(async (load: HttpLoad): Promise<HttpLoaded> => {
  const queue = load.requests.map((request) => Buffer.from(request));
  let next = load.from;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const endAt = startedAt + load.durationMs;
  const take = () => (performance.now() < endAt ? queue[next++ % queue.length]! : null);
  await Promise.all(Array.from({ length: load.connections }, () => run(load.port, load.status, take)));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (next - load.from) / seconds, busy: (user + system) / 1e6 / seconds, next };
});

/** Runs one connection: sends a request, reads its answer, and repeats. */
function run(port: number, wanted: number, take: () => Buffer | null): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0;
    let held = Buffer.alloc(0);
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
      if (missing > 0) missing -= chunk.length;
      else {
        const data = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const headEnd = data.indexOf(HEAD_END);
        if (headEnd === -1) return void (held = Buffer.from(data));
        held = Buffer.alloc(0);
        const head = data.toString('latin1', 0, headEnd);
        if (Number(head.slice(9, 12)) !== wanted) return fail(data.toString('utf8', 0, 2_000));
        // Every server of the benchmark sends this header.
        const length = Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? NaN);
        missing = length + headEnd + HEAD_END.length - data.length;
      }
      if (missing === 0) send();
      else if (!(missing > 0)) fail('more bytes than one answer, or no Content-Length');
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
    const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('end', () => fail('the server closed the connection'));
  });
}

import { once } from 'node:events';
import { connect } from 'node:net';
import { type Answer, patiently } from './client.ts';

export type RawConnection = Awaited<ReturnType<typeof openConnection>>;

/** Opens a connection that can send any bytes. */
export async function openConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  let wake = () => {};
  const state = { over: false };
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk);
    wake();
  });
  // The service can answer before it cuts the connection, so an error does not discard the answers.
  socket.on('error', () => {});
  socket.on('close', () => {
    state.over = true;
    wake();
  });
  await once(socket, 'connect');
  const until = async (enough: () => boolean) => {
    while (!enough() && !state.over) await new Promise<void>((resolve) => (wake = resolve));
    return parseAnswers(Buffer.concat(received));
  };
  return {
    socket,
    send: (text: string | Uint8Array) => void (socket.destroyed || socket.write(text)),
    /** Returns all answers after the service closes its side. */
    answers: () => until(() => false),
    /** Returns the first `count` answers and keeps the connection open. */
    next: (count: number) => until(() => parseAnswers(Buffer.concat(received)).length >= count),
  };
}

/** Sends bytes and returns the answers of the service up to the end of the connection. */
export async function exchange(url: string, text: string | Uint8Array): Promise<Answer[]> {
  const send = async () => {
    const connection = await openConnection(url);
    connection.send(text);
    return await connection.answers();
  };
  return await patiently(send, (answers) => answers.map(({ body }) => String(body?.error?.message)).join());
}

function parseAnswers(bytes: Buffer): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? NaN);
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    rest = rest.subarray(end + 4 + length);
    if (status === 100) continue;
    const text = body.toString();
    answers.push({ status, headers, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text });
  }
}

import { request } from 'node:http';

export type StreamedEvent = { id: string; type: string; occurred_at: string; data: Record<string, unknown> };
export type OpenStream = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The events that have arrived. */
  events: StreamedEvent[];
  /** What arrived, as text. */
  text(): string;
  /** Resolves when the stream has ended. */
  ended: Promise<void>;
  close(): void;
};

/** Opens a stream of server-sent events, as a program does. */
export async function openStream(url: string, path: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const events: StreamedEvent[] = [];
  let text = '';
  let rest = '';
  const ended = Promise.withResolvers<void>();
  const sent = request(`${url}/api/v1${path}`, { headers: { accept: 'text/event-stream', ...headers }, agent: false });
  const opened = Promise.withResolvers<OpenStream>();
  sent.once('error', (error) => {
    opened.reject(error);
    ended.resolve();
  });
  sent.once('response', (answer) => {
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      text += chunk;
      rest += chunk;
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        const id = /^id: (.*)$/m.exec(frame)?.[1];
        if (data === undefined) continue;
        const event = JSON.parse(data) as StreamedEvent;
        if (event.id !== id) throw new Error(`the stream names ${id} and sends ${event.id}`);
        events.push(event);
      }
    });
    answer.once('close', () => ended.resolve());
    answer.on('error', () => {});
    opened.resolve({
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      events,
      text: () => text,
      ended: ended.promise,
      close: () => sent.destroy(),
    });
  });
  sent.end();
  return await opened.promise;
}

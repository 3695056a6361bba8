import { ConcoursError } from '../errors.ts';

/** The service sends a heartbeat every 15 s. A connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;

/**
 * Yields the `data` of each message of a stream of server-sent events, `''` for a heartbeat. It ends when the connection ends.
 *
 * @throws ConcoursError NO_ANSWER if the connection breaks or falls silent
 */
export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await within(SILENCE_MS, reader.read());
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const messages = text.split(/\r?\n\r?\n/);
      text = messages.pop() ?? '';
      yield* messages.map(dataOf);
    }
  } finally {
    // Also when the caller leaves the loop: the service then ends its side.
    await reader.cancel().catch(() => {});
  }
}

/** Heartbeats are comments, so they have no data. */
function dataOf(message: string): string {
  const lines = message.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
}

async function within<T>(ms: number, reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(broken('it was silent')), ms);
  });
  try {
    return await Promise.race([reading, silent]);
  } catch (error) {
    throw error instanceof ConcoursError ? error : broken(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
  }
}

function broken(why: string): ConcoursError {
  return new ConcoursError('NO_ANSWER', `The stream of events broke: ${why}.`);
}

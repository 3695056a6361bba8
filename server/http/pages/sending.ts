import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

const CHUNK_BYTES = 64 * 1024;

/**
 * A client that takes fewer than `leastBytes` in `windowMs` is disconnected, unless the body ends before. The time that the
 * storage takes counts too.
 */
export type LeastRate = { windowMs: number; leastBytes: number };

export type Sending = {
  stream: ReadableStream<Uint8Array>;
  /** Resolves when the stream has ended: to null after the last byte, else to the reason. */
  ended: Promise<Error | null>;
};

/** The response that carries the body; undefined in a test without a server. */
export type ResponseConnection = { destroy(): void } | undefined;

/**
 * Streams parts to a client. A failure closes the connection, so that no client takes a part for all of it.
 *
 * The connection closes before the adapter learns of the failure. The adapter writes the text of an error into the body,
 * which could complete a file whose last bytes are missing.
 */
export function sendParts(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { windowMs, leastBytes }: LeastRate,
  connection: ResponseConnection,
): Sending {
  const { promise: ended, resolve } = Promise.withResolvers<Error | null>();
  const chunks = inChunks(parts);
  let control: ReadableStreamDefaultController<Uint8Array>;
  let taken = 0;
  const end = (error: Error | null) => {
    clearTimeout(timer);
    resolve(error);
  };
  const breakOff = (error: Error) => {
    end(error);
    if (connection) connection.destroy();
    else control.error(error);
    discard(chunks);
  };
  const look = () => {
    if (taken < leastBytes) {
      breakOff(new Error('the body was read too slowly'));
      return;
    }
    taken = 0;
    timer = setTimeout(look, windowMs).unref();
  };
  let timer = setTimeout(look, windowMs).unref();
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        control = controller;
      },
      async pull(controller) {
        try {
          const chunk = await chunks.next();
          if (chunk.done) {
            controller.close();
            end(null);
            return;
          }
          taken += chunk.value.length;
          controller.enqueue(chunk.value);
        } catch (error) {
          breakOff(error instanceof Error ? error : new Error(String(error)));
        }
      },
      async cancel() {
        end(new Error('the client disconnected'));
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, ended };
}

/** Lets the source of the chunks end. The client has left, so its failures no longer matter. */
function discard(chunks: AsyncGenerator<Uint8Array, void>): void {
  void chunks.return().catch(() => undefined);
}

export function connectionOf(c: Context<{ Bindings: HttpBindings }>): ResponseConnection {
  // A test that calls the application without a server gives no bindings.
  const bindings: Partial<HttpBindings> | undefined = c.env;
  return bindings?.outgoing;
}

async function* inChunks(parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const part of parts)
    for (let at = 0; at < part.length; at += CHUNK_BYTES) yield part.subarray(at, at + CHUNK_BYTES);
}

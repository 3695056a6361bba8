import type { ServerResponse } from 'node:http';
import type { EventSource, StreamSink } from '../../serve.ts';

const TICK_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** A reader with more unread bytes is disconnected. It resumes after the last event that it read. */
const MOST_UNREAD_BYTES = 256 * 1024;
/** How long a reader may take for one page of the past. */
const DRAIN_MS = 30_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 2_000;

/** When to ask again after the database did not answer. */
const NO_ANSWER_MS = 60_000;

const HEARTBEAT = Buffer.from(': heartbeat\n\n');

/**
 * Whether the caller may still read. Asked again and again while a stream is open. `ask` returns in how many milliseconds
 * the next question is due; null ends the stream.
 */
export type StillAllowed = { firstMs: number; ask: () => Promise<number | null> };

/** The open streams of this process. */
export type EventStreams = {
  /** Sends a stream after its headers have been written. */
  send(outgoing: ServerResponse, source: EventSource, stillAllowed: StillAllowed): void;
  readonly size: number;
  stop(): void;
};

/** One timer serves all streams, because ten thousand timers would cost more than the streams themselves. */
export function createEventStreams(nowMs = () => performance.now()): EventStreams {
  const open = new Set<Stream>();
  const timer = setInterval(() => {
    const now = nowMs();
    for (const stream of open) stream.tick(now);
  }, TICK_MS);
  timer.unref();
  return {
    send(outgoing, source, stillAllowed) {
      if (outgoing.destroyed) return source.cancel();
      const stream = new Stream(outgoing, stillAllowed, nowMs());
      open.add(stream);
      let stop = () => {};
      outgoing.once('close', () => {
        open.delete(stream);
        stop();
      });
      stream.write(`retry: ${RETRY_MS}\n\n`);
      stop = source.start(stream);
    },
    get size() {
      return open.size;
    },
    stop: () => clearInterval(timer),
  };
}

class Stream implements StreamSink {
  readonly #outgoing: ServerResponse;
  readonly #stillAllowed: StillAllowed;
  #beatAt: number;
  #askAt: number;

  constructor(outgoing: ServerResponse, stillAllowed: StillAllowed, now: number) {
    this.#outgoing = outgoing;
    this.#stillAllowed = stillAllowed;
    this.#beatAt = now + HEARTBEAT_MS;
    this.#askAt = now + stillAllowed.firstMs;
  }

  write(frame: string | Buffer): void {
    if (!this.#outgoing.writableEnded) this.#outgoing.write(frame);
  }

  push(frame: Buffer): void {
    this.write(frame);
    if (this.#outgoing.writableLength > MOST_UNREAD_BYTES) this.#outgoing.destroy();
  }

  async drained(): Promise<boolean> {
    const outgoing = this.#outgoing;
    if (outgoing.destroyed || outgoing.writableEnded) return false;
    if (!outgoing.writableNeedDrain) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const drained = () => resolve(true);
    const closed = () => resolve(false);
    const timer = setTimeout(() => outgoing.destroy(), DRAIN_MS);
    outgoing.once('drain', drained).once('close', closed);
    const result = await promise;
    clearTimeout(timer);
    outgoing.off('drain', drained).off('close', closed);
    return result;
  }

  close(): void {
    this.#outgoing.end();
  }

  tick(now: number): void {
    if (now >= this.#beatAt) {
      this.#beatAt = now + HEARTBEAT_MS;
      this.push(HEARTBEAT);
    }
    if (now < this.#askAt) return;
    this.#askAt = now + NO_ANSWER_MS;
    this.#stillAllowed.ask().then(
      (nextMs) => (nextMs === null ? this.close() : (this.#askAt = now + nextMs)),
      // The stream stays open until the next check decides.
      () => {},
    );
  }
}

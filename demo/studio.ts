import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DemoError } from './client.ts';
import type { Artist } from './cast.ts';

export type Studio = {
  draw(artist: Artist): Promise<Buffer>;
  close(): Promise<void>;
};

export type DrawnPicture = { picture: Uint8Array } | { failure: string };

type Order = { artist: Artist; settle: (drawn: DrawnPicture) => void };

/**
 * Opens a studio that draws in threads, at most one per core. Drawing uses only the processor, and the server needs
 * some of it.
 */
export function openStudio(): Studio {
  const waiting: Order[] = [];
  const idle: Worker[] = [];
  const workers = new Map<Worker, Order | null>();

  const next = () => {
    const order = waiting[0];
    if (!order) return;
    const worker = idle.pop() ?? (workers.size < Math.max(2, availableParallelism()) ? hire() : null);
    if (!worker) return;
    waiting.shift();
    workers.set(worker, order);
    worker.postMessage(order.artist, []);
  };
  const finish = (worker: Worker, drawn: DrawnPicture) => {
    workers.get(worker)?.settle(drawn);
    workers.set(worker, null);
  };
  const hire = (): Worker => {
    const worker = new Worker(new URL('./studio-worker.ts', import.meta.url));
    worker.on('message', (drawn: DrawnPicture) => {
      finish(worker, drawn);
      idle.push(worker);
      next();
    });
    worker.on('error', (error: Error) => {
      finish(worker, { failure: error.message });
      workers.delete(worker);
      next();
    });
    workers.set(worker, null);
    return worker;
  };

  return {
    draw: async (artist) => {
      const drawn = await new Promise<DrawnPicture>((settle) => {
        waiting.push({ artist, settle });
        next();
      });
      if ('failure' in drawn) throw new DemoError(`${artist.name} could not draw its picture: ${drawn.failure}`);
      return Buffer.from(drawn.picture.buffer, drawn.picture.byteOffset, drawn.picture.byteLength);
    },
    async close() {
      waiting.length = 0;
      await Promise.all([...workers.keys()].map((worker) => worker.terminate()));
    },
  };
}

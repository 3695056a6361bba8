import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 200;

/**
 * Chooses processes as a load balancer does: in turn, among those whose `/readyz` answered 200 at the last look. It repeats no
 * request, so each one that fails is a failed request of a client.
 */
export class Balancer {
  #ready: string[] = [];
  #turn = 0;
  readonly #all = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #looking: Promise<void>;

  constructor() {
    this.#looking = this.#look();
  }

  async add(url: string): Promise<void> {
    this.#all.add(url);
    while (!this.#ready.includes(url)) await sleep(LOOK_MS / 4);
  }

  remove(url: string): void {
    this.#all.delete(url);
  }

  /** Returns the address of the next process. */
  next(): string {
    this.#turn += 1;
    const url = this.#ready[this.#turn % this.#ready.length];
    if (url === undefined) throw new Error('no process is ready');
    return url;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const looks = [...this.#all].map(async (url) => ((await isReady(url)) ? [url] : []));
      this.#ready = (await Promise.all(looks)).flat();
      await sleep(LOOK_MS);
    }
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return ok;
  } catch {
    return false;
  }
}

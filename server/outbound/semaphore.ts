import { withDeadline } from './request-failure.ts';

/** Limits how many holders there are at once. Further callers wait in the order of their calls. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** @throws RequestError `timeout` when the deadline comes before a permit is free */
  async acquire(deadline: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise: granted, resolve: grant } = Promise.withResolvers<void>();
    this.#waiting.add(grant);
    try {
      await withDeadline(granted, deadline);
    } catch (error) {
      // The permit arrived in the same turn as the deadline: pass it on.
      if (!this.#waiting.delete(grant)) this.release();
      throw error;
    }
  }

  release(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#free += 1;
  }
}

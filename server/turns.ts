type Key = { running: number; waiting: Set<() => void> };

/** Bounds the works that run side by side for each key. The others wait in their order. */
export class Turns {
  readonly #most: number;
  readonly #keys = new Map<string, Key>();

  constructor(most: number) {
    this.#most = most;
  }

  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Returns null when the key had no room within `waitMs`. */
  run<T>(name: string, work: () => Promise<T>, waitMs: number): Promise<T | null>;
  async run<T>(name: string, work: () => Promise<T>, waitMs?: number): Promise<T | null> {
    const key = this.#keys.get(name) ?? { running: 0, waiting: new Set() };
    this.#keys.set(name, key);
    if (key.running < this.#most) key.running += 1;
    else if (!(await turnOf(key, waitMs))) return null;
    try {
      return await work();
    } finally {
      // The turn goes to the one that waited longest, so that no new work takes it first.
      const [next] = key.waiting;
      if (next) next();
      else key.running -= 1;
      if (key.running === 0) this.#keys.delete(name);
    }
  }
}

/** Settles with true when a work has ended and left its turn, or with false after `waitMs`. */
async function turnOf({ waiting }: Key, waitMs: number | undefined): Promise<boolean> {
  return await new Promise((resolve) => {
    const end = (isOurs: boolean) => {
      clearTimeout(timer);
      waiting.delete(take);
      resolve(isOurs);
    };
    const take = () => end(true);
    const timer = waitMs === undefined ? undefined : setTimeout(end, waitMs, false);
    waiting.add(take);
  });
}

/** Counts what each key holds: null while that is `most`, otherwise the function that frees the place, to be called once. */
export function createPlaces(most: number): (key: string) => (() => void) | null {
  const counts = new Map<string, number>();
  return (key) => {
    const now = counts.get(key) ?? 0;
    if (now >= most) return null;
    counts.set(key, now + 1);
    return () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}

/** Requests under way at once to one network: thousands of agents may live at one host. */
const AT_ONCE = 8;
/** A request that waited this long is not made. It ends well before the lease on its delivery. */
const MAX_WAIT_MS = 15_000;

/** Bounds the requests of a process by destination network (/24 or /48). `null` means a network without bound. */
export class NetworkSlots {
  readonly #networks = new Map<string, { used: number; queue: (() => void)[] }>();

  /** Runs `work` when its network has room. Returns null when it had none in time. */
  async run<T>(name: string | null, work: () => Promise<T>): Promise<T | null> {
    if (name === null) return await work();
    const network = this.#networks.get(name) ?? { used: 0, queue: [] };
    this.#networks.set(name, network);
    const since = performance.now();
    if (network.used < AT_ONCE) network.used += 1;
    else await new Promise<void>((resolve) => network.queue.push(resolve));
    try {
      return performance.now() - since > MAX_WAIT_MS ? null : await work();
    } finally {
      const next = network.queue.shift();
      if (next) next();
      else network.used -= 1;
      if (network.used === 0) this.#networks.delete(name);
    }
  }
}

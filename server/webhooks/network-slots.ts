/** Requests under way at once to one network: thousands of agents may live at one host. */
const AT_ONCE = 8;
/** How long a request waits for its turn. It ends well before the lease on its delivery. */
const WAIT_MS = 15_000;

type Network = { used: number; queue: Set<() => void> };

/** Bounds the requests of a process by destination network (/24 or /48). */
export class NetworkSlots {
  readonly #networks = new Map<string, Network>();

  /** Runs `work` when its network has room; null is one without bound. Returns null when it had none in time. */
  async run<T>(name: string | null, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T | null> {
    if (name === null) return await work();
    const network = this.#networks.get(name) ?? { used: 0, queue: new Set() };
    this.#networks.set(name, network);
    if (network.used < AT_ONCE) network.used += 1;
    else if (!(await turnOf(network, waitMs))) return null;
    try {
      return await work();
    } finally {
      const [next] = network.queue;
      if (next) next();
      else network.used -= 1;
      if (network.used === 0) this.#networks.delete(name);
    }
  }
}

/** Settles with true when a request has ended and left its place, or with false after `waitMs`. */
async function turnOf({ queue }: Network, waitMs: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const end = (isOurs: boolean) => {
      clearTimeout(timer);
      queue.delete(take);
      resolve(isOurs);
    };
    const take = () => end(true);
    const timer = setTimeout(end, waitMs, false);
    queue.add(take);
  });
}

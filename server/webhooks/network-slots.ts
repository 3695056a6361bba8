/**
 * Caps concurrent deliveries per destination network (/24 or /48): thousands of agents may live at one host, and the
 * service must not overload it. `null` means an unknown network, which is not capped.
 */
export class NetworkSlots {
  readonly #limit: number;
  readonly #networks = new Map<string, { used: number; queue: (() => void)[] }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs `work` when its network has room. */
  async run<T>(name: string | null, work: () => Promise<T>): Promise<T> {
    if (name === null) return await work();
    const network = this.#networks.get(name) ?? { used: 0, queue: [] };
    this.#networks.set(name, network);
    if (network.used < this.#limit) network.used += 1;
    else await new Promise<void>((resolve) => network.queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = network.queue.shift();
      if (next) next();
      else network.used -= 1;
      if (network.used === 0) this.#networks.delete(name);
    }
  }
}

export type NetworkSlot = {
  /** Resolves with true once the delivery may start, or with false when `cancel` came first. */
  granted: Promise<boolean>;
  /** Leaves the queue. Returns false when the slot was granted before. */
  cancel(): boolean;
  release(): void;
};

type Network = { used: number; queue: Set<(granted: boolean) => void> };

/**
 * Caps concurrent deliveries per destination network (/24 or /48): thousands of agents may live at one host, and the
 * service must not overload it. `null` means an unknown network, which is not capped.
 */
export class NetworkSlots {
  readonly #limit: number;
  readonly #networks = new Map<string, Network>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a slot, or queues for one. */
  reserve(name: string | null): NetworkSlot {
    if (name === null) return { granted: Promise.resolve(true), cancel: () => false, release() {} };
    const network = this.#networks.get(name) ?? { used: 0, queue: new Set() };
    this.#networks.set(name, network);
    const { promise: granted, resolve: grant } = Promise.withResolvers<boolean>();
    if (network.used < this.#limit) {
      network.used += 1;
      grant(true);
    } else network.queue.add(grant);
    return {
      granted,
      cancel() {
        const isQueued = network.queue.delete(grant);
        grant(false);
        return isQueued;
      },
      release: () => this.#release(name, network),
    };
  }

  #release(name: string, network: Network): void {
    const [next] = network.queue;
    if (next) {
      network.queue.delete(next);
      next(true);
      return;
    }
    network.used -= 1;
    if (network.used === 0) this.#networks.delete(name);
  }
}

/** A place at a network for one delivery. */
export type Place = {
  /** True when there is room now; else once there is, or false when it was given up before. */
  entered: true | Promise<boolean>;
  /** Leaves the queue; false for who is in already. */
  giveUp(): boolean;
  leave(): void;
};

export type NetworkCaps = { enter(network: string | null): Place };

type Network = {
  inside: number;
  /** Null where nobody has ever waited. */
  queue: Set<(entered: boolean) => void> | null;
};

/** Where nothing is counted. */
const FREE: Place = { entered: true, giveUp: () => false, leave() {} };
const isInside = () => false;

/**
 * So many deliveries at once to one destination network: thousands of agents may live at one host, and none of them gets
 * the service to overrun it. Null is none that is known, and is not counted.
 */
export function createNetworkCaps(limit: number): NetworkCaps {
  const networks = new Map<string, Network>();

  function leave(name: string, network: Network): void {
    const next = network.queue?.values().next().value;
    if (next) {
      network.queue?.delete(next);
      next(true);
      return;
    }
    network.inside -= 1;
    if (network.inside === 0) networks.delete(name);
  }

  return {
    enter(name) {
      if (name === null) return FREE;
      const network = networks.get(name) ?? { inside: 0, queue: null };
      if (network.inside === 0) networks.set(name, network);
      if (network.inside < limit) {
        network.inside += 1;
        return { entered: true, giveUp: isInside, leave: () => leave(name, network) };
      }
      const queue = (network.queue ??= new Set());
      let waiting: (entered: boolean) => void = () => {};
      const entered = new Promise<boolean>((resolve) => (waiting = resolve));
      queue.add(waiting);
      return {
        entered,
        giveUp() {
          const waited = queue.delete(waiting);
          if (waited) waiting(false);
          return waited;
        },
        leave: () => leave(name, network),
      };
    },
  };
}

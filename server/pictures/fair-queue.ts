import { InspectorBusy } from './decode-pool.ts';

export type FairQueue = {
  /**
   * Runs `work` in its agent's turn. The work may end its turn early, and then goes on beside the next ones.
   *
   * @throws InspectorBusy when too many wait, or the queue is closed
   */
  run<T>(agentId: string, work: (endTurn: () => void) => Promise<T>): Promise<T>;
  /** Refuses the works that wait. Those that run go on. */
  close(): void;
};

export type FairQueueOptions = {
  /** The most turns at the same time. */
  turns: number;
  /** The most works that have begun and not ended, also those whose turn is over. Default: as many as turns. */
  unfinished?: number;
  /** The most turns of one agent at the same time. Default: all of them. */
  turnsOfAgent?: number;
  /** The most works that wait. */
  maxWaiting: number;
};

type Waiting = { start: () => void; refuse: (error: Error) => void };

// How many agents' last turns are remembered.
const MAX_REMEMBERED = 10_000;

/**
 * Creates a queue in which agents take turns: the next turn belongs to the agent whose last one is the longest ago. So
 * an agent that sends many slow pictures delays another agent by one of them at most, however many it sends.
 */
export function createFairQueue({ turns, maxWaiting, ...options }: FairQueueOptions): FairQueue {
  const { unfinished: most = turns, turnsOfAgent = turns } = options;
  const order = createTurnOrder();
  const waiting = new Map<string, Waiting[]>();
  /** The turns that each agent has now. */
  const held = new Map<string, number>();
  let running = 0;
  let unfinished = 0;
  let waitingCount = 0;
  let closed = false;

  const mayHaveTurn = (agentId: string) => (held.get(agentId) ?? 0) < turnsOfAgent;

  function startNext(): void {
    if (running >= turns || unfinished >= most) return;
    const agentId = order.next([...waiting.keys()].filter(mayHaveTurn));
    if (agentId === null) return;
    const works = waiting.get(agentId) ?? [];
    const work = works.shift();
    if (works.length === 0) waiting.delete(agentId);
    order.remember(agentId);
    held.set(agentId, (held.get(agentId) ?? 0) + 1);
    waitingCount -= 1;
    running += 1;
    unfinished += 1;
    work?.start();
  }

  function endTurn(agentId: string): void {
    const left = (held.get(agentId) ?? 1) - 1;
    if (left > 0) held.set(agentId, left);
    else held.delete(agentId);
    running -= 1;
    startNext();
  }

  return {
    async run(agentId, work) {
      if (closed || waitingCount >= maxWaiting) throw new InspectorBusy();
      const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>();
      const works = waiting.get(agentId) ?? [];
      works.push({ start, refuse });
      waiting.set(agentId, works);
      waitingCount += 1;
      startNext();
      await promise;
      let hasTurn = true;
      const endOwn = () => {
        if (hasTurn) endTurn(agentId);
        hasTurn = false;
      };
      try {
        return await work(endOwn);
      } finally {
        unfinished -= 1;
        endOwn();
        startNext();
      }
    },
    close() {
      closed = true;
      for (const { refuse } of [...waiting.values()].flat()) refuse(new InspectorBusy());
      waiting.clear();
      waitingCount = 0;
    },
  };
}

/**
 * Decides which agent is next. Agents that have had no turn alternate: first the one that waits the longest, then the
 * newest. Otherwise, a group of agents that send a slow picture each would delay all that come after them.
 */
function createTurnOrder() {
  /** The numbers of the agents' last turns, oldest first. */
  const lastTurns = new Map<string, number>();
  let turn = 0;
  return {
    /** `agentIds`: those that wait, the longest first. */
    next(agentIds: string[]): string | null {
      let next: string | null = null;
      let oldest = Infinity;
      const takesNewest = turn % 2 === 1;
      for (const agentId of agentIds) {
        const last = lastTurns.get(agentId) ?? 0;
        const isNewer = takesNewest && last === 0;
        if (last < oldest || isNewer) [next, oldest] = [agentId, last];
      }
      return next;
    },
    remember(agentId: string): void {
      lastTurns.delete(agentId);
      lastTurns.set(agentId, ++turn);
      const [first] = lastTurns.keys();
      if (lastTurns.size > MAX_REMEMBERED && first !== undefined) lastTurns.delete(first);
    },
  };
}

import { InspectorBusy } from './decode-pool.ts';
import type { FairQueue } from './types.ts';

export type FairQueueOptions = {
  /** The most turns at the same time. */
  turns: number;
  /** The most works that have begun and not ended, also those whose turn is over. Default: as many as turns. */
  unfinished?: number;
  /** The most turns of one agent at the same time. Default: all of them. */
  turnsOfAgent?: number;
  /** The most works that wait. */
  maxWaiting: number;
  /** The most works of one agent that wait. Default: all of them. */
  maxWaitingOfAgent?: number;
};

type Waiting = { start: () => void; refuse: (error: unknown) => void };

// How many agents' last turns are remembered.
const MAX_REMEMBERED = 10_000;

/**
 * Creates a queue in which agents take turns: the next turn belongs to the agent whose last one is the longest ago. So
 * an agent that sends many slow pictures delays another agent by one of them at most, however many it sends.
 */
export function createFairQueue({ turns, maxWaiting, ...options }: FairQueueOptions): FairQueue {
  const { unfinished: most = turns, turnsOfAgent = turns, maxWaitingOfAgent = maxWaiting } = options;
  const order = createTurnOrder();
  const waiting = createWaitingList({ most: maxWaiting, mostOfAgent: maxWaitingOfAgent });
  /** The turns that each agent has now. */
  const held = new Map<string, number>();
  let running = 0;
  let unfinished = 0;
  let closed = false;

  const mayHaveTurn = (agentId: string) => (held.get(agentId) ?? 0) < turnsOfAgent;

  function startNext(): void {
    if (running >= turns || unfinished >= most) return;
    const agentId = order.next(waiting.agents().filter(mayHaveTurn));
    if (agentId === null) return;
    const work = waiting.takeFirst(agentId);
    order.remember(agentId);
    held.set(agentId, (held.get(agentId) ?? 0) + 1);
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
    async run(agentId, work, left) {
      left?.throwIfAborted();
      if (closed || !waiting.hasRoom(agentId)) throw new InspectorBusy();
      const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>();
      const own = { start, refuse };
      waiting.add(agentId, own);
      const leave = () => waiting.remove(agentId, own) && refuse(left?.reason);
      left?.addEventListener('abort', leave);
      startNext();
      await promise.finally(() => left?.removeEventListener('abort', leave));
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
      for (const { refuse } of waiting.takeAll()) refuse(new InspectorBusy());
    },
  };
}

/** The works that wait, in the order in which each agent sent its own. */
function createWaitingList({ most, mostOfAgent }: { most: number; mostOfAgent: number }) {
  const lists = new Map<string, Waiting[]>();
  let count = 0;

  function remove(agentId: string, work: Waiting | undefined): boolean {
    const works = lists.get(agentId) ?? [];
    const index = work ? works.indexOf(work) : -1;
    if (index < 0) return false;
    works.splice(index, 1);
    if (works.length === 0) lists.delete(agentId);
    count -= 1;
    return true;
  }

  return {
    /** Those that wait, the longest first. */
    agents: () => [...lists.keys()],
    hasRoom: (agentId: string) => count < most && (lists.get(agentId)?.length ?? 0) < mostOfAgent,
    add(agentId: string, work: Waiting): void {
      lists.set(agentId, [...(lists.get(agentId) ?? []), work]);
      count += 1;
    },
    remove,
    takeFirst(agentId: string): Waiting | undefined {
      const first = lists.get(agentId)?.[0];
      remove(agentId, first);
      return first;
    },
    takeAll(): Waiting[] {
      const all = [...lists.values()].flat();
      lists.clear();
      count = 0;
      return all;
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

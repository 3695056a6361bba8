import { BaseError, numberToHex, pad, TimeoutError, type Hash, type Hex, type PublicClient } from 'viem';
import { USED_TOPIC } from './usdc-events.ts';

export type RawLog = { topics: Hex[]; data: Hex; blockNumber: Hex; transactionHash: Hash; logIndex: Hex };

type Topics = (Hex | Hex[] | null)[];

export type LogScan = {
  /** Reads the logs of a contract in the order of the chain. @throws the node's error, if it refuses even one block */
  logs(topics: Topics, fromBlock: number, toBlock: number): AsyncGenerator<RawLog>;
  /** Asks for the newest blocks. Returns how many of them the node answers in one request. @throws the node's error */
  probe(latest: number): Promise<number>;
};

/** Most providers refuse more. */
const MOST_BLOCKS = 2000;
/** After this many answers, a larger range is tried. */
const ANSWERS = 10;
/** A node that hangs is not asked for each range in between. The next scan begins with a smaller one. */
const MOST_TIMEOUTS = 3;

/**
 * Reads logs in ranges that the node answers. Nodes refuse a range with statuses, codes, and texts of every kind, and also by
 * silence, so each failure halves the range, down to one block. The size that worked is remembered, and grows slowly towards
 * the size that was refused. A failure at each size says nothing about the size, and changes nothing.
 */
export function createLogScan(client: PublicClient, address: Hex): LogScan {
  let worked = MOST_BLOCKS;
  /** The smallest range that was refused since the one that worked. */
  let refused = Infinity;
  let answers = 0;

  function size(): number {
    if (answers < ANSWERS) return worked;
    const larger = worked * 2 < refused ? worked * 2 : Math.max(worked + 1, (worked + refused) >> 1);
    return Math.min(MOST_BLOCKS, larger);
  }

  async function ask(topics: Topics, from: number, to: number): Promise<RawLog[]> {
    const filter = { address, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) };
    const logs: unknown = await client.request({ method: 'eth_getLogs', params: [filter] });
    if (!Array.isArray(logs)) throw new TypeError('eth_getLogs answered without a list');
    return logs as RawLog[];
  }

  /** Returns the logs of the largest range from this block that the node answers, and its last block. */
  async function next(topics: Topics, from: number, end: number): Promise<{ logs: RawLog[]; to: number }> {
    let blocks = size();
    let smallest = refused;
    for (let timeouts = 0; ;) {
      const to = Math.min(from + blocks - 1, end);
      const asked = to - from + 1;
      try {
        const logs = await ask(topics, from, to);
        // The end of a scan is shorter than what works.
        if (asked === blocks) {
          answers = blocks === worked ? answers + 1 : 0;
          [worked, refused] = [blocks, blocks < smallest ? smallest : Infinity];
        }
        return { logs, to };
      } catch (error) {
        const isLate = isTimeout(error);
        if (isLate) timeouts += 1;
        if (asked === 1 || timeouts === MOST_TIMEOUTS) {
          if (isLate) worked = Math.max(1, Math.min(worked, asked >> 1));
          throw error;
        }
        smallest = Math.min(smallest, asked);
        // A range that was only tried goes back to the one that worked.
        blocks = asked > worked ? worked : asked >> 1;
        answers = 0;
      }
    }
  }

  return {
    async *logs(topics, fromBlock, toBlock) {
      for (let from = fromBlock; from <= toBlock;) {
        const { logs, to } = await next(topics, from, toBlock);
        yield* logs;
        from = to + 1;
      }
    },
    async probe(latest) {
      const from = Math.max(0, latest - MOST_BLOCKS + 1);
      // Nobody holds the key of this payer, so the answer is empty.
      const { to } = await next([USED_TOPIC, pad('0x0')], from, latest);
      return to - from + 1;
    },
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof BaseError && error.walk((inner) => inner instanceof TimeoutError) !== null;
}

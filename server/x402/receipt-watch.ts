import { setTimeout as sleep } from 'node:timers/promises';
import {
  formatTransactionReceipt,
  numberToHex,
  type PublicClient,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import { createProvenReceipts, type ProvenReceipts } from '../chain/public.ts';
import type { Hex } from './lanes/batches.ts';

// A batch is one transaction, so few hashes are awaited in general. Above this number, whole blocks cost less.
const FEW_HASHES = 4;
// After an idle time the watch does not read all blocks that it missed: what it awaits is new.
const MOST_BLOCKS = 3;
const FIRST_PAUSE = 1 / 16;
const MOST_LOOKS_AT_BLOCKS = 10;

/** viem has no types for this method. */
type BlockReceipts = {
  Method: 'eth_getBlockReceipts';
  Parameters: [block: Hex];
  ReturnType: RpcTransactionReceipt[] | null;
};

type Waiting = { found: (receipt: TransactionReceipt) => void; nextBlock: number };

/** Waits for receipts. All waiting payments share one look. */
export type ReceiptWatch = { receiptOf(hash: Hex, timeoutMs: number): Promise<TransactionReceipt> };

/**
 * Creates the watch of a process. A look asks for the receipt of each awaited transaction; when many are awaited, it asks
 * for the receipts of each new block instead. A failure of the node ends no wait, and neither does a receipt whose block is
 * not on chain.
 */
export function createReceiptWatch(options: {
  client: PublicClient;
  pollMs: number;
  /** Called once with each receipt. */
  onReceipt: (receipt: TransactionReceipt) => void;
}): ReceiptWatch {
  const { client, pollMs, onReceipt } = options;
  const waiting = new Map<Hex, Waiting>();
  const receipts = createProvenReceipts(client);
  const blocks = createBlockLook({ client, receipts, waiting, deliver });
  let pauseMs = pollMs;
  let joined: (() => void) | null = null;
  let looking = false;

  function deliver(receipt: TransactionReceipt): void {
    const awaited = waiting.get(receipt.transactionHash);
    if (!awaited) return;
    waiting.delete(receipt.transactionHash);
    onReceipt(receipt);
    awaited.found(receipt);
  }

  async function ask(hash: Hex): Promise<void> {
    const receipt = await receipts.receiptOf(hash).catch(() => null);
    if (receipt) deliver(receipt);
  }

  async function watch(): Promise<void> {
    looking = true;
    while (waiting.size > 0) {
      const looked = waiting.size > FEW_HASHES && (await blocks.look());
      if (!looked) await Promise.all([...waiting.keys()].map(ask));
      const newcomer = new Promise<void>((resolve) => {
        joined = resolve;
      });
      // A local chain mines at once, so the first pauses are short.
      await Promise.race([sleep(pauseMs), newcomer]);
      pauseMs = Math.min(pauseMs * 2, pollMs);
    }
    looking = false;
  }

  return {
    async receiptOf(hash, timeoutMs) {
      const over = AbortSignal.timeout(timeoutMs);
      const { promise, resolve } = Promise.withResolvers<TransactionReceipt>();
      const shared = waiting.get(hash);
      const found = (receipt: TransactionReceipt) => {
        shared?.found(receipt);
        resolve(receipt);
      };
      // The transaction may be in a block that the watch has just read.
      waiting.set(hash, { found, nextBlock: Math.min(shared?.nextBlock ?? Infinity, Math.max(0, blocks.seen() - 1)) });
      if (!shared) {
        pauseMs = Math.max(1, pollMs * FIRST_PAUSE);
        joined?.();
      }
      if (!looking) void watch();
      const late = new Promise<null>((ended) => over.addEventListener('abort', () => ended(null), { once: true }));
      const receipt = await Promise.race([promise, late]);
      if (receipt) return receipt;
      await ask(hash);
      const last = await Promise.race([promise, Promise.resolve(null)]);
      if (last) return last;
      // Payments that joined later still wait.
      if (waiting.get(hash)?.found === found) waiting.delete(hash);
      throw new Error(`no receipt of ${hash} within ${timeoutMs} ms`);
    },
  };
}

/** Looks for awaited receipts in whole blocks. `look` resolves to false when each must be asked for instead. */
function createBlockLook({
  client,
  receipts: { isOnChain },
  waiting,
  deliver,
}: {
  client: PublicClient;
  receipts: ProvenReceipts;
  waiting: ReadonlyMap<Hex, Waiting>;
  deliver: (receipt: TransactionReceipt) => void;
}): { look(): Promise<boolean>; seen(): number } {
  let seenBlock = 0;
  let isOffered = true;
  let looks = 0;

  async function lookAtBlocks(): Promise<void> {
    seenBlock = Number(await client.getBlockNumber({ cacheTime: 0 }));
    const first = Math.min(...[...waiting.values()].map(({ nextBlock }) => nextBlock));
    for (let block = Math.max(seenBlock - MOST_BLOCKS + 1, first); block <= seenBlock; block += 1) {
      // A node that is behind a load balancer may not have this block yet: the next look asks again.
      const receipts = await blockReceipts(client, block);
      if (receipts === null) return;
      const awaited = receipts.filter(({ transactionHash }) => waiting.has(transactionHash));
      for (const receipt of awaited) {
        if (!(await isOnChain(receipt))) return;
        deliver(receipt);
      }
      for (const each of waiting.values()) each.nextBlock = Math.max(each.nextBlock, block + 1);
    }
  }

  return {
    seen: () => seenBlock,
    async look() {
      looks += 1;
      // A lagging node can answer with an empty block, and blocks are not read twice. So every tenth look asks for each
      // receipt by its hash.
      if (!isOffered || looks % MOST_LOOKS_AT_BLOCKS === 0) return false;
      try {
        await lookAtBlocks();
        return true;
      } catch (error) {
        isOffered = !isUnknownMethod(error);
        return false;
      }
    },
  };
}

/** Null when the node does not have the block yet. */
async function blockReceipts(client: PublicClient, block: number): Promise<TransactionReceipt[] | null> {
  const receipts = await client.request<BlockReceipts>({
    method: 'eth_getBlockReceipts',
    params: [numberToHex(block)],
  });
  return receipts?.map((receipt) => formatTransactionReceipt(receipt)) ?? null;
}

// -32601 is "method not found", and -32004 "method not supported".
function isUnknownMethod(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === -32601 || error.code === -32004);
}

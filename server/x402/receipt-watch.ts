import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicClient, TransactionReceipt } from 'viem';
import { createProvenReceipts } from '../chain/public.ts';
import type { Hex } from './lanes/batches.ts';

const FIRST_PAUSE = 1 / 16;

/** Waits for receipts. All payments of one transaction share the looks at it. */
export type ReceiptWatch = { receiptOf(hash: Hex, timeoutMs: number): Promise<TransactionReceipt> };

/**
 * Creates the watch of a process. A batch is one transaction, so few receipts are awaited at once. A failure of the node ends
 * no wait, and neither does a receipt whose block is not on chain.
 */
export function createReceiptWatch(client: PublicClient, pollMs: number): ReceiptWatch {
  const receipts = createProvenReceipts(client);
  const waiting = new Map<Hex, Promise<TransactionReceipt>>();

  async function look(hash: Hex, timeoutMs: number): Promise<TransactionReceipt> {
    const until = performance.now() + timeoutMs;
    // A local chain mines at once, so the first pauses are short.
    for (let pauseMs = Math.max(1, pollMs * FIRST_PAUSE); ; pauseMs = Math.min(pauseMs * 2, pollMs)) {
      const receipt = await receipts.receiptOf(hash).catch(() => null);
      if (receipt) return receipt;
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw new Error(`no receipt of ${hash} within ${timeoutMs} ms`);
      await sleep(Math.min(pauseMs, leftMs));
    }
  }

  return {
    receiptOf(hash, timeoutMs) {
      const shared = waiting.get(hash) ?? look(hash, timeoutMs).finally(() => waiting.delete(hash));
      waiting.set(hash, shared);
      return shared;
    },
  };
}

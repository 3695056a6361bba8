import {
  BlockNotFoundError,
  TransactionReceiptNotFoundError,
  type Hash,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';

/** How long a block that was found counts as found. All payments of a batch share one request. */
const KEPT_MS = 10_000;

/**
 * Reads receipts whose blocks exist. Nodes also return receipts of blocks that never come: of preconfirmations, and of
 * forks. Such a receipt proves nothing, so it counts as none.
 */
export type ProvenReceipts = {
  /** Returns the receipt of a transaction, or null while the chain does not have it. */
  receiptOf(hash: Hash): Promise<TransactionReceipt | null>;
};

export function createProvenReceipts(client: PublicClient): ProvenReceipts {
  // By number and hash. A block that was not found is asked for again.
  const blocks = new Map<string, Promise<boolean>>();

  /** Returns whether the chain has the block of this receipt, under its number and hash. */
  async function isOnChain({ blockNumber, blockHash }: TransactionReceipt): Promise<boolean> {
    const key = `${blockNumber}:${blockHash.toLowerCase()}`;
    const known = blocks.get(key);
    if (known) return await known;
    const asked = hasBlock(client, blockNumber, blockHash);
    blocks.set(key, asked);
    const found = await asked.catch((error: unknown) => {
      blocks.delete(key);
      throw error;
    });
    if (found) setTimeout(() => blocks.delete(key), KEPT_MS).unref();
    else blocks.delete(key);
    return found;
  }

  return {
    async receiptOf(hash) {
      const receipt = await reportedReceipt(client, hash);
      return receipt !== null && (await isOnChain(receipt)) ? receipt : null;
    },
  };
}

async function hasBlock(client: PublicClient, blockNumber: bigint, hash: Hash): Promise<boolean> {
  try {
    const block = await client.getBlock({ blockNumber });
    return block.hash.toLowerCase() === hash.toLowerCase();
  } catch (error) {
    if (error instanceof BlockNotFoundError) return false;
    throw error;
  }
}

async function reportedReceipt(client: PublicClient, hash: Hash): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

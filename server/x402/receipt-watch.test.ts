import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPublicClient, custom, numberToHex } from 'viem';
import { createReceiptWatch } from './receipt-watch.ts';

type Hex = `0x${string}`;
type Receipts = { transactionHash: Hex; blockNumber: Hex; gasUsed: Hex; status: Hex; logs: never[] }[];

const HASHES = Array.from({ length: 6 }, (_, index): Hex => `0x${String(index + 1).padStart(64, '0')}`);
const receiptsIn = (block: number, hashes = HASHES): Receipts =>
  hashes.map((transactionHash) => ({
    transactionHash,
    blockNumber: numberToHex(block),
    gasUsed: '0x1',
    status: '0x1',
    logs: [],
  }));

/**
 * A node that answers as the test says. `head` and `block` get the number of looks at the head so far. `byHash` answers
 * once whole blocks were asked for: before that, too few are awaited.
 */
function nodeWith(answers: {
  head(looks: number): number;
  block(number: number, looks: number): Receipts | null;
  byHash: Receipts;
}) {
  const blocks: number[] = [];
  let looks = 0;
  let asksByHash = 0;
  const request = async ({ method, params }: { method: string; params?: [Hex] }) => {
    const [about = '0x0'] = params ?? [];
    if (method === 'eth_blockNumber') {
      looks += 1;
      return numberToHex(answers.head(looks));
    }
    if (method === 'eth_getBlockReceipts') {
      blocks.push(Number(about));
      return answers.block(Number(about), looks);
    }
    assert.equal(method, 'eth_getTransactionReceipt');
    if (looks === 0) return null;
    asksByHash += 1;
    return answers.byHash.find(({ transactionHash }) => transactionHash === about) ?? null;
  };
  return {
    client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }),
    /** The blocks that were asked for, in their order. */
    blocks,
    looks: () => looks,
    asksByHash: () => asksByHash,
  };
}

/** Awaits all hashes at once. Returns them with the block of their receipts, and how often each receipt was told. */
async function awaitAll({ client }: ReturnType<typeof nodeWith>, hashes = HASHES) {
  const told: Hex[] = [];
  const watch = createReceiptWatch({
    client,
    pollMs: 1,
    onReceipt: ({ transactionHash }) => void told.push(transactionHash),
  });
  const found = await Promise.all(hashes.map((hash) => watch.receiptOf(hash, 60_000)));
  assert.deepEqual(
    found.map(({ transactionHash }) => transactionHash),
    hashes,
  );
  assert.deepEqual(told.toSorted(), hashes.toSorted());
  return found.map(({ blockNumber }) => Number(blockNumber));
}

// The watch reads whole blocks, because more than four hashes are awaited.
describe('receipts by block', () => {
  it('are found in the block that holds them', async () => {
    const node = nodeWith({
      head: (looks) => (looks === 1 ? 10 : 11),
      block: (number) => (number === 11 ? receiptsIn(11) : []),
      byHash: [],
    });
    assert.deepEqual(new Set(await awaitAll(node)), new Set([11]));
    assert.deepEqual([node.blocks, node.asksByHash()], [[8, 9, 10, 11], 0]);
  });

  it('are asked for by hash at every tenth look, when a node that lags gave an empty block', async () => {
    const node = nodeWith({ head: () => 11, block: () => [], byHash: receiptsIn(11) });
    await awaitAll(node);
    // The tenth look does not ask for the head.
    assert.deepEqual([node.blocks, node.looks(), node.asksByHash()], [[9, 10, 11], 9, HASHES.length]);
  });

  it('are asked for again while a node behind a load balancer does not have the block', async () => {
    const node = nodeWith({
      head: () => 12,
      block: (number, looks) => (number < 12 ? [] : looks < 4 ? null : receiptsIn(12)),
      byHash: [],
    });
    assert.deepEqual(new Set(await awaitAll(node)), new Set([12]));
    assert.deepEqual([node.blocks, node.asksByHash()], [[10, 11, 12, 12, 12, 12], 0]);
  });

  it('are asked for by hash while the node fails to give a block, and by block afterwards', async () => {
    const [first = '0x', ...others] = HASHES;
    const node = nodeWith({
      head: () => 11,
      block(number, looks) {
        if (looks === 1) throw new Error('the node is overloaded');
        return number === 11 ? receiptsIn(11, others) : [];
      },
      byHash: receiptsIn(11, [first]),
    });
    assert.deepEqual(new Set(await awaitAll(node)), new Set([11]));
    assert.deepEqual([node.blocks, node.asksByHash()], [[9, 9, 10, 11], HASHES.length]);
  });
});

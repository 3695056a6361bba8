import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChainReading, compareWithChain, confirmedComparison, type LedgerSide } from './compare-with-chain.ts';

const TREASURY = '0x00000000000000000000000000000000000000aa';
const PAYER = '0x00000000000000000000000000000000000000bb';
const txHash = `0x${'1'.repeat(64)}`;
const transfer = { txHash, logIndex: 3, blockNumber: 7, from: PAYER, to: TREASURY, amountMicro: 250 };
const settled = { id: 'one', payer: PAYER, payTo: TREASURY, amountMicro: 250, txHash, logIndex: 3, blockNumber: 7 };
const ledger: LedgerSide = {
  treasury: TREASURY,
  from: 5,
  block: 9,
  final: 9,
  treasuryMicro: 250,
  settledAfterMicro: 0,
  straysAfterMicro: 0,
  adopted: [],
  adoptedAfterMicro: 0,
  checkedBefore: true,
  settled: [settled],
  strays: [],
  undecided: [],
};
const right: ChainReading = { chainMicro: 250, transfers: [transfer] };
const wrongBalance: ChainReading = { ...right, chainMicro: 150 };
const missing: ChainReading = { ...right, transfers: [] };

/** Reads one reading after the other, and stays at the last. Returns the result, and how often the chain was read. */
async function check(readings: readonly ChainReading[], side = ledger) {
  let next = 0;
  const read = () => compareWithChain(side, readings[Math.min(next++, readings.length - 1)]!);
  const { problems, earlier } = await confirmedComparison(read(), async () => read(), 0);
  return { problems, earlier, read: next };
}

describe('the comparison of the ledger with the chain', () => {
  it('reads the chain once when nothing is wrong', async () => {
    assert.deepEqual(await check([right]), { problems: [], earlier: [], read: 1 });
  });

  it('believes neither a wrong balance nor a missing transfer of one reading alone', async () => {
    for (const first of [wrongBalance, missing])
      assert.deepEqual(await check([first, right]), { problems: [], earlier: [], read: 2 });
    assert.deepEqual(await check([wrongBalance, missing, right]), { problems: [], earlier: [], read: 3 });
  });

  it('reports a balance or a missing transfer that a second reading confirms', async () => {
    const ofBalance = 'the treasury holds 150 on chain at block 9, the ledger says 250';
    assert.deepEqual(await check([wrongBalance]), { problems: [ofBalance], earlier: [], read: 2 });
    const { problems, read } = await check([missing]);
    assert.deepEqual([problems, read], [[`payment one is settled, but its transfer ${txHash}:3 is not on chain`], 2]);
  });

  it('reports what lasts, and nothing that only the first reading had', async () => {
    const both = { ...wrongBalance, transfers: [] };
    const { problems, read } = await check([both, wrongBalance]);
    assert.deepEqual([problems.length, read], [1, 3]);
    assert.match(problems.join(), /^the treasury holds 150/);
  });

  it('books a balance of before the first scanned block only when a second reading has it', async () => {
    const before = { ...ledger, checkedBefore: false };
    const richer = { ...right, chainMicro: 257 };
    assert.deepEqual((await check([richer, right], before)).earlier, []);
    const { problems, earlier } = await check([richer], before);
    assert.deepEqual([problems, earlier.map(({ amountMicro }) => amountMicro)], [[], [7]]);
  });

  it('throws, and confirms nothing, when the chain cannot be read again', async () => {
    const failing = () => Promise.reject(new Error('the node is down'));
    await assert.rejects(confirmedComparison(compareWithChain(ledger, missing), failing, 0), /node is down/);
  });
});

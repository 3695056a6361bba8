import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ChainReading, compareWithChain, confirmedComparison, type LedgerSide } from './compare-with-chain.ts';
import type { ChainTransfer } from '../chain/types.ts';
import { matchTransfers } from './match-transfers.ts';

const TREASURY = '0x00000000000000000000000000000000000000aa';
const PAYER = '0x00000000000000000000000000000000000000bb';
const txHash = `0x${'1'.repeat(64)}`;
const arrival = { txHash, logIndex: 3, blockNumber: 7, from: PAYER, to: TREASURY, amountMicro: 250 };
const payment = { id: 'one', payer: PAYER, payTo: TREASURY, amountMicro: 250, txHash, logIndex: 3, blockNumber: 7 };
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
  settled: [payment],
  strays: [],
  undecided: [],
};
const right: ChainReading = { chainMicro: 250, transfers: [arrival] };
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

  it('takes an undecided payment for one transfer, and each further one of its route for a stray', () => {
    const of = { id: 'two', kind: 'entry_fee', subjectId: 'entry', state: 'settling', error: null } as const;
    const at = { payer: PAYER, payTo: TREASURY, amountMicro: 250, fromBlock: 7, createdAt: new Date(0) };
    const undecided = [{ ...of, ...at }];
    const again = { ...arrival, logIndex: 4 };
    const { newStrays } = matchTransfers({ ...ledger, settled: [], undecided, transfers: [arrival, again] });
    assert.deepEqual(newStrays, [again]);
    // A transfer of before the claim is a stray, too.
    const matched = matchTransfers({
      ...ledger,
      settled: [],
      undecided: [...undecided, { ...of, ...at, fromBlock: 8 }],
      transfers: [{ ...arrival, blockNumber: 6 }, arrival, { ...again, blockNumber: 9 }],
    });
    assert.deepEqual([matched.newStrays.map(({ blockNumber }) => blockNumber), matched.firstOpenBlock], [[6], 7]);
  });

  it('leaves out what came, went, or was adopted after its block', async () => {
    const later = { settledAfterMicro: 7, straysAfterMicro: 5, adoptedAfterMicro: 40, treasuryMicro: 250 + 7 + 5 - 40 };
    assert.deepEqual((await check([right], { ...ledger, ...later })).problems, []);
  });

  it('throws, and confirms nothing, when the chain cannot be read again', async () => {
    const failing = () => Promise.reject(new Error('the node is down'));
    await assert.rejects(confirmedComparison(compareWithChain(ledger, missing), failing, 0), /node is down/);
  });
});

const FINAL = 100;
const wallet = fc.constantFrom('1', '2', '3').map((digit) => `0x${digit.repeat(40)}`);

/** Few wallets and amounts, so that many transfers look alike. */
const movements = fc.array(
  fc.record({
    wallet,
    amountMicro: fc.integer({ min: 1, max: 3 }),
    blockNumber: fc.integer({ min: 1, max: 2 * FINAL }),
    out: fc.boolean(),
    as: fc.constantFrom('settled', 'undecided', 'stray', 'unknown'),
  }),
  { maxLength: 12 },
);

type Movement = { wallet: string; amountMicro: number; blockNumber: number; out: boolean; as: string };

function worldOf(list: Movement[]) {
  const transfers = list.map(({ wallet: other, amountMicro, blockNumber, out }, index): ChainTransfer => ({
    txHash: `0x${index}`,
    logIndex: index,
    blockNumber,
    from: out ? TREASURY : other,
    to: out ? other : TREASURY,
    amountMicro,
  }));
  const of = (as: string) => transfers.filter((_, index) => list[index]?.as === as);
  const row = (transfer: ChainTransfer) => ({
    ...transfer,
    id: transfer.txHash,
    payer: transfer.from,
    payTo: transfer.to,
  });
  return {
    treasury: TREASURY,
    final: FINAL,
    block: 2 * FINAL,
    transfers,
    settled: of('settled').map(row),
    adopted: [],
    strays: of('stray').map((transfer) => ({ ...transfer, paymentId: null })),
    undecided: of('undecided').map((transfer) => ({
      ...row(transfer),
      kind: 'entry_fee',
      subjectId: '',
      fromBlock: transfer.blockNumber,
      state: 'settling' as const,
      error: null,
      createdAt: new Date(0),
    })),
  };
}

const signed = ({ to, amountMicro }: ChainTransfer) => (to === TREASURY ? amountMicro : -amountMicro);
const sum = (transfers: ChainTransfer[]) => transfers.reduce((total, transfer) => total + signed(transfer), 0);

describe('matchTransfers', () => {
  it('finds no problem if every transfer has a row or comes from a stranger', () => {
    fc.assert(
      fc.property(movements, (list) => {
        const honest = list.filter(({ out, as }) => !out || as === 'settled' || as === 'undecided');
        const world = worldOf(honest);
        const matched = matchTransfers(world);
        assert.deepEqual(matched.problems, []);
        // Not in the ledger yet: undecided payments and strays, in any assignment to the transfers.
        const booked = sum(world.transfers.filter((_, index) => ['settled', 'stray'].includes(honest[index]!.as)));
        assert.equal(matched.aheadMicro, sum(world.transfers) - booked);
        const unknown = honest.filter(({ as }) => as === 'unknown').length;
        assert.ok(matched.newStrays.length <= unknown);
        assert.ok(matched.newStrays.every(({ to, blockNumber }) => to === TREASURY && blockNumber <= FINAL));
        // A transfer that is expected or not booked is checked again, or recorded now.
        for (const transfer of world.transfers.filter((_, index) => honest[index]!.as === 'undecided'))
          assert.ok(
            matched.newStrays.includes(transfer) ||
              transfer.blockNumber > FINAL ||
              (matched.firstOpenBlock ?? Infinity) <= transfer.blockNumber ||
              world.transfers.some(
                (other) =>
                  other !== transfer && other.from === transfer.from && other.amountMicro === transfer.amountMicro,
              ),
          );
      }),
    );
  });

  it('reports each outgoing transfer without an explanation, and leaves its block open', () => {
    fc.assert(
      fc.property(
        movements,
        wallet,
        fc.integer({ min: 4, max: 9 }),
        fc.integer({ min: 1, max: FINAL }),
        (list, to, amountMicro, blockNumber) => {
          const world = worldOf(list.filter(({ out, as }) => !out || as === 'settled'));
          const theft = { txHash: '0xtheft', logIndex: 0, blockNumber, from: TREASURY, to, amountMicro };
          const matched = matchTransfers({ ...world, transfers: [...world.transfers, theft] });
          assert.equal(matched.problems.length, 1);
          assert.match(
            matched.problems[0]!,
            /^transfer 0xtheft:0 of \d from 0x0{38}aa to 0x\d{40} matches no payment$/,
          );
          assert.ok((matched.firstOpenBlock ?? Infinity) <= blockNumber);
        },
      ),
    );
  });

  it('reports each row whose transfer is missing or different', () => {
    fc.assert(
      fc.property(movements, fc.nat(), fc.boolean(), (list, pick, gone) => {
        const booked = list.filter(({ as, out }) => as === 'settled' || (as === 'stray' && !out));
        fc.pre(booked.length > 0);
        const world = worldOf(booked);
        const index = pick % booked.length;
        const transfers = gone
          ? world.transfers.filter((_, at) => at !== index)
          : world.transfers.map((transfer, at) =>
              at === index ? { ...transfer, amountMicro: transfer.amountMicro + 10 } : transfer,
            );
        assert.equal(matchTransfers({ ...world, transfers }).problems.length, 1);
      }),
    );
  });

  it('ignores transfers of zero, and reports a transfer from the treasury to itself', () => {
    const own = { txHash: '0x1', logIndex: 0, blockNumber: 1, from: TREASURY, to: TREASURY, amountMicro: 5 };
    const world = worldOf([]);
    assert.deepEqual(matchTransfers({ ...world, transfers: [{ ...own, amountMicro: 0 }] }).problems, []);
    const matched = matchTransfers({ ...world, transfers: [own] });
    assert.deepEqual([matched.problems.length, matched.aheadMicro], [1, 0]);
  });

  it('finds payments whose transaction was mined again elsewhere, each at one place', () => {
    const payer = (digit: number) => `0x${String(digit).repeat(40)}`;
    const at = (logIndex: number, from: string, blockNumber = 12) => {
      return { txHash: '0xbatch', logIndex, blockNumber, from, to: TREASURY, amountMicro: 5 };
    };
    const row = ({ from, to, ...rest }: ChainTransfer) => ({ ...rest, id: from, payer: from, payTo: to });
    const settled = [at(1, payer(1), 10), at(3, payer(2), 10), at(5, payer(3), 2 * FINAL + 1)].map(row);
    // Each transfer but the last is at the place that another payment had.
    const transfers = [at(3, payer(1)), at(5, payer(2)), at(7, payer(3))];
    const { moved, ...matched } = matchTransfers({ ...worldOf([]), settled, transfers });
    assert.deepEqual(
      moved.map(({ id, was, is }) => [id, was.logIndex, is.logIndex, is.blockNumber]),
      [
        [payer(1), 1, 3, 12],
        [payer(2), 3, 5, 12],
        [payer(3), 5, 7, 12],
      ],
    );
    // The ledger counts the third one among the later blocks.
    assert.deepEqual(matched, { problems: [], aheadMicro: 5, newStrays: [], vanished: [], firstOpenBlock: null });
    // A payer's second transfer in the transaction is not the payment, and a stray is not either.
    const more = [at(9, payer(1)), at(11, payer(2))];
    const strays = [{ ...at(11, payer(2)), paymentId: null }];
    const again = matchTransfers({ ...worldOf([]), settled, strays, transfers: [...transfers, ...more] });
    assert.deepEqual([again.problems, again.newStrays], [[], [more[0]]]);
  });
});

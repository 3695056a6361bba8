import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ChainTransfer } from '../ports/chain.ts';
import { matchTransfers } from './match-transfers.ts';

const TREASURY = `0x${'a'.repeat(40)}`;
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
          assert.match(matched.problems[0]!, /^transfer 0xtheft:0 of \d from 0xa{40} to 0x\d{40} matches no payment$/);
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

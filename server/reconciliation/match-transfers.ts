import type { ChainTransfer } from '../ports/chain.ts';
import type { SettledTransfer, Undecided } from './queries.ts';
import type { StrayTransfer } from '../payments/public.ts';

type Matching = {
  treasury: string;
  /** The newest block that stays. */
  final: number;
  /** Everything to and from the treasury in a range of blocks, as the chain tells it. */
  transfers: ChainTransfer[];
  /** The same, as the books tell it. */
  settled: SettledTransfer[];
  strays: StrayTransfer[];
  undecided: Undecided[];
};

type Matched = {
  problems: string[];
  /** On chain already, and not in the books yet: in less out. */
  aheadMicro: number;
  /** Came for good and can be nobody's payment: to be booked as strays. */
  newStrays: ChainTransfer[];
  /** The first block with something that has to be looked at again. */
  firstOpenBlock: number | null;
};

/**
 * Each transfer into or out of the treasury against exactly one row, and the other way round. What an undecided payment
 * may turn out to be is expected. Money that nobody expects is a stray when it came in, and a mismatch when it went out:
 * only the treasury's key can have sent that.
 */
export function matchTransfers({ treasury, final, transfers, settled, strays, undecided }: Matching): Matched {
  const rows = new Map(settled.map((row) => [place(row), row]));
  const known = new Map(strays.map((row) => [place(row), row]));
  const expected = countBy(undecided.map(({ payer, payTo, amountMicro }) => way(payer, payTo, amountMicro)));
  const result: Matched = { problems: [], aheadMicro: 0, newStrays: [], firstOpenBlock: null };
  const leaveOpen = (block: number) => {
    result.firstOpenBlock = Math.min(result.firstOpenBlock ?? Infinity, block);
  };
  for (const transfer of transfers) {
    const { from, to, amountMicro, blockNumber } = transfer;
    // Anybody can send nothing to or from anybody; it costs only gas, and on a real network it happens all the time.
    if (amountMicro === 0) continue;
    const row = rows.get(place(transfer));
    const stray = known.get(place(transfer));
    rows.delete(place(transfer));
    known.delete(place(transfer));
    if (row ? isOf(row, transfer) : stray && isStrayOf(stray, transfer)) continue;
    const comes = to === treasury && from !== treasury;
    const signedMicro = comes ? amountMicro : from === to ? 0 : -amountMicro;
    if (!row && !stray && take(expected, way(from, to, amountMicro))) {
      result.aheadMicro += signedMicro;
      leaveOpen(blockNumber);
    } else if (!row && !stray && comes) {
      result.aheadMicro += signedMicro;
      // A block that may still go is looked at again: the scan ends before it.
      if (blockNumber <= final) result.newStrays.push(transfer);
    } else {
      leaveOpen(blockNumber);
      result.problems.push(`transfer ${place(transfer)} of ${amountMicro} from ${from} to ${to} matches no payment`);
    }
  }
  for (const row of rows.values()) {
    leaveOpen(row.blockNumber);
    result.problems.push(`payment ${row.id} is settled, but its transfer ${place(row)} is not on chain`);
  }
  // One that became a payment is held against the payment's row.
  for (const row of [...known.values()].filter(({ paymentId }) => paymentId === null)) {
    leaveOpen(row.blockNumber);
    result.problems.push(`the stray transfer ${place(row)} of ${row.amountMicro} is not on chain`);
  }
  return result;
}

function isOf(row: SettledTransfer, { from, to, amountMicro }: ChainTransfer): boolean {
  return row.payer === from && row.payTo === to && row.amountMicro === amountMicro;
}

function isStrayOf(stray: StrayTransfer, { from, amountMicro }: ChainTransfer): boolean {
  return stray.from === from && stray.amountMicro === amountMicro;
}

function place({ txHash, logIndex }: { txHash: string; logIndex: number }): string {
  return `${txHash}:${logIndex}`;
}

function way(from: string, to: string, amountMicro: number): string {
  return `${from}:${to}:${amountMicro}`;
}

function countBy(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** One of them, if there is one left. */
function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}

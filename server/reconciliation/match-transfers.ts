import type { ChainTransfer } from '../chain/types.ts';
import type { SettledTransfer, Undecided } from './queries.ts';
import type { MovedPayment, AdoptedTransfer, StrayTransfer } from '../payments/public.ts';

export type Matching = {
  treasury: string;
  /** The newest block that cannot be reorganized. */
  final: number;
  /** The block at which the chain was read. */
  block: number;
  /** All transfers to and from the treasury in a range of blocks, from the chain. */
  transfers: ChainTransfer[];
  /** The settled payments of the same range, and others with a transaction in it, from the ledger. */
  settled: SettledTransfer[];
  strays: Pick<StrayTransfer, 'txHash' | 'logIndex' | 'from' | 'amountMicro' | 'blockNumber' | 'paymentId'>[];
  /** Transfers out of the treasury that the operator adopted. */
  adopted: AdoptedTransfer[];
  undecided: Undecided[];
};

export type Matched = {
  problems: string[];
  /** The sum that is on chain, but in the ledger not at all or only in later blocks: incoming minus outgoing. */
  aheadMicro: number;
  /** Final transfers that belong to no payment. They are booked as strays. */
  newStrays: ChainTransfer[];
  /** Payments whose transactions a reorganization moved to another block, or their logs to other positions. */
  moved: (MovedPayment & { is: ChainTransfer })[];
  /** The settled payments whose transfers are not on chain. */
  vanished: string[];
  /** The first block with a transfer that must be checked again. */
  firstOpenBlock: number | null;
};

/**
 * Matches each transfer of the treasury with exactly one row, and each row with one transfer. A transfer that can
 * belong to an undecided payment is accepted.
 *
 * An unexpected incoming transfer is a stray. An unexpected outgoing transfer is a mismatch, because only the
 * treasury's key can have sent it.
 */
export function matchTransfers(matching: Matching): Matched {
  const { treasury, final, block, strays, adopted, undecided } = matching;
  const isAdopted = adoption(treasury, adopted);
  // Anybody can create transfers of zero for the cost of gas, and on real networks this happens often.
  const transfers = matching.transfers.filter((each) => each.amountMicro !== 0 && !isAdopted(each));
  const knownStrays = new Map(strays.map((row) => [transferId(row), row]));
  const { rows, moved, others } = matchPayments({ ...matching, transfers }, knownStrays);
  const expected = Map.groupBy(
    undecided.toSorted((a, b) => a.fromBlock - b.fromBlock),
    ({ payer, payTo, amountMicro }) => routeKey(payer, payTo, amountMicro),
  );
  const result: Matched = { problems: [], aheadMicro: 0, newStrays: [], moved, vanished: [], firstOpenBlock: null };
  for (const { was, is } of moved) if (was.blockNumber > block) result.aheadMicro += signed(is, treasury);
  const leaveOpen = (at: number) => {
    result.firstOpenBlock = Math.min(result.firstOpenBlock ?? Infinity, at);
  };
  for (const transfer of others) {
    const { from, to, amountMicro, blockNumber } = transfer;
    const row = rows.get(transferId(transfer));
    const stray = knownStrays.get(transferId(transfer));
    rows.delete(transferId(transfer));
    knownStrays.delete(transferId(transfer));
    if (!row && stray && isSameStray(stray, transfer)) continue;
    const isIncoming = to === treasury && from !== treasury;
    const isUnknown = !row && !stray;
    if (isUnknown && takeOne(expected.get(routeKey(from, to, amountMicro)), blockNumber)) {
      result.aheadMicro += signed(transfer, treasury);
      leaveOpen(blockNumber);
    } else if (isUnknown && isIncoming) {
      result.aheadMicro += amountMicro;
      // A block that is not final is checked again, because the scan ends before it.
      if (blockNumber <= final) result.newStrays.push(transfer);
    } else {
      leaveOpen(blockNumber);
      result.problems.push(
        `transfer ${transferId(transfer)} of ${amountMicro} from ${from} to ${to} matches no payment`,
      );
    }
  }
  result.vanished = idsOf([...rows.values()]);
  for (const { blockNumber, problem } of missingOnChain(rows, knownStrays)) {
    leaveOpen(blockNumber);
    result.problems.push(problem);
  }
  return result;
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

type Strays = Map<string, Matching['strays'][number]>;

/** Describes the rows that are left without a transfer. */
function missingOnChain(rows: Map<string, SettledTransfer>, strays: Strays) {
  return [
    ...[...rows.values()].map((row) => ({
      blockNumber: row.blockNumber,
      problem: `payment ${row.id} is settled, but its transfer ${transferId(row)} is not on chain`,
    })),
    // A stray that became a payment was compared with the payment's row.
    ...[...strays.values()]
      .filter(({ paymentId }) => paymentId === null)
      .map((row) => ({
        blockNumber: row.blockNumber,
        problem: `the stray transfer ${transferId(row)} of ${row.amountMicro} is not on chain`,
      })),
  ];
}

/**
 * Matches transfers with settled payments: first at the place that the row names, then anywhere in its transaction. A
 * reorganization can move a transaction, and so its logs, after the payment was booked. Returns the rows and the
 * transfers that are left. A stray of a matched transfer is deleted from `strays`.
 */
function matchPayments({ transfers, settled }: Pick<Matching, 'transfers' | 'settled'>, strays: Strays) {
  const rows = new Map(settled.map((row) => [transferId(row), row]));
  const moved: Matched['moved'] = [];
  const match = (row: SettledTransfer, transfer: ChainTransfer) => {
    rows.delete(transferId(row));
    strays.delete(transferId(transfer));
    if (row.blockNumber !== transfer.blockNumber || row.logIndex !== transfer.logIndex)
      moved.push({ id: row.id, txHash: row.txHash, was: row, is: transfer });
  };
  const elsewhere = transfers.filter((transfer) => {
    const row = rows.get(transferId(transfer));
    if (!row || !isSamePayment(row, transfer)) return true;
    match(row, transfer);
    return false;
  });
  const inTransaction = Map.groupBy(
    rows.values(),
    (row) => `${row.txHash}:${routeKey(row.payer, row.payTo, row.amountMicro)}`,
  );
  const others = elsewhere.filter((transfer) => {
    const { txHash, from, to, amountMicro } = transfer;
    const stray = strays.get(transferId(transfer));
    if (stray?.paymentId === null && isSameStray(stray, transfer)) return true;
    const row = inTransaction.get(`${txHash}:${routeKey(from, to, amountMicro)}`)?.shift();
    if (row) match(row, transfer);
    return !row;
  });
  return { rows, moved, others };
}

/** Positive for money in, negative for money out. */
function signed({ from, to, amountMicro }: ChainTransfer, treasury: string): number {
  if (from === to) return 0;
  return to === treasury ? amountMicro : -amountMicro;
}

/** A transfer that turned out to be a payment is matched with the payment's row. */
function adoption(treasury: string, adopted: AdoptedTransfer[]): (transfer: ChainTransfer) => boolean {
  const unpaid = new Map(adopted.filter(({ paymentId }) => paymentId === null).map((row) => [transferId(row), row]));
  return (transfer) => {
    const row = unpaid.get(transferId(transfer));
    return row?.to === transfer.to && row.amountMicro === transfer.amountMicro && transfer.from === treasury;
  };
}

function isSamePayment(row: SettledTransfer, { from, to, amountMicro }: ChainTransfer): boolean {
  return row.payer === from && row.payTo === to && row.amountMicro === amountMicro;
}

function isSameStray(
  stray: Pick<StrayTransfer, 'from' | 'amountMicro'>,
  { from, amountMicro }: ChainTransfer,
): boolean {
  return stray.from === from && stray.amountMicro === amountMicro;
}

function transferId({ txHash, logIndex }: { txHash: string; logIndex: number }): string {
  return `${txHash}:${logIndex}`;
}

function routeKey(from: string, to: string, amountMicro: number): string {
  return `${from}:${to}:${amountMicro}`;
}

/**
 * Takes the newest of these payments that a transfer in this block can be. Returns false if none is left: a transfer of before
 * a payment's claim is not this payment, and would be checked again for as long as its payer has one in flight.
 */
function takeOne(payments: Undecided[] = [], blockNumber: number): boolean {
  const index = payments.findLastIndex(({ fromBlock }) => fromBlock <= blockNumber);
  if (index !== -1) payments.splice(index, 1);
  return index !== -1;
}

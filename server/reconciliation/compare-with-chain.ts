import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainTransfer } from '../chain/types.ts';
import { matchTransfers, type Matched, type Matching } from './match-transfers.ts';
import { INITIAL_BALANCE_TX_HASH } from './queries.ts';

/** The treasury's USDC at a block, and its transfers up to that block. */
export type ChainReading = { chainMicro: number; transfers: ChainTransfer[] };

/** The ledger's part of the comparison. It was read after the chain, and stays the same for every reading. */
export type LedgerSide = Omit<Matching, 'transfers'> & {
  from: number;
  /** The balance of the account `treasury`. */
  treasuryMicro: number;
  /** Incoming minus outgoing payments in later blocks. */
  settledAfterMicro: number;
  /** Strays in later blocks. */
  straysAfterMicro: number;
  /** Adopted transfers out in later blocks. */
  adoptedAfterMicro: number;
  checkedBefore: boolean;
};

export type Comparison = {
  chainMicro: number;
  /** What the treasury must hold at the block, by the books and the payments in flight. */
  expectedMicro: number;
  problems: string[];
  newStrays: ChainTransfer[];
  /** The treasury's balance before the first scanned block, as one stray. Only the first check of a treasury has it. */
  earlier: ChainTransfer[];
  moved: Matched['moved'];
  vanished: Matched['vanished'];
  firstOpenBlock: Matched['firstOpenBlock'];
};

// Two readings that differ from each other are followed by another one, up to this number in total.
const MOST_READINGS = 4;

/** Compares one reading of the chain with the ledger. */
export function compareWithChain(ledger: LedgerSide, { chainMicro, transfers }: ChainReading): Comparison {
  const { from, block, treasury, treasuryMicro, settledAfterMicro, straysAfterMicro, adoptedAfterMicro } = ledger;
  const matched = matchTransfers({ ...ledger, transfers });
  const earlier = ledger.checkedBefore ? [] : initialBalance(treasury, { from, chainMicro, transfers });
  const afterMicro = settledAfterMicro + straysAfterMicro - adoptedAfterMicro;
  const expectedMicro = treasuryMicro - afterMicro + matched.aheadMicro + sumOf(earlier);
  const problems = [...matched.problems];
  if (chainMicro !== expectedMicro) {
    problems.push(`the treasury holds ${chainMicro} on chain at block ${block}, the ledger says ${expectedMicro}`);
  }
  const { newStrays, moved, vanished, firstOpenBlock } = matched;
  return { chainMicro, expectedMicro, problems, newStrays, earlier, moved, vanished, firstOpenBlock };
}

/**
 * Returns the comparison that counts. A problem counts when two readings in a row find the same.
 *
 * One reading is not enough. A node that mines the next block, or nodes behind a load balancer, can answer a balance and
 * transfers that do not belong together. A false mismatch would stop every payout until the next check, and a false
 * initial balance would stay in the books.
 *
 * @param read reads the chain again, at the same block
 * @param pauseMs how long a node gets to catch up; 0: it is asked again at once
 */
export async function confirmedComparison(
  first: Comparison,
  read: () => Promise<Comparison>,
  pauseMs: number,
): Promise<Comparison> {
  let found = first;
  for (let readings = 1; isDoubtful(found) && readings < MOST_READINGS; readings += 1) {
    if (pauseMs > 0) await sleep(pauseMs);
    const again = await read();
    const isConfirmed = doubtsOf(again) === doubtsOf(found);
    found = again;
    if (isConfirmed) break;
  }
  return found;
}

const isDoubtful = ({ problems, earlier }: Comparison) => problems.length > 0 || earlier.length > 0;
const doubtsOf = ({ problems, earlier }: Comparison) => JSON.stringify([problems, earlier]);

/** Returns the balance before the first scanned block. Anybody can send USDC to the address before the service starts. */
function initialBalance(
  treasury: string,
  { from, chainMicro, transfers }: ChainReading & { from: number },
): ChainTransfer[] {
  const [came, went] = [
    transfers.filter(({ to }) => to === treasury),
    transfers.filter((one) => one.from === treasury),
  ];
  const amountMicro = chainMicro - sumOf(came) + sumOf(went);
  const nothing = {
    txHash: INITIAL_BALANCE_TX_HASH,
    logIndex: 0,
    blockNumber: from - 1,
    from: `0x${'0'.repeat(40)}`,
  };
  return amountMicro > 0 ? [{ ...nothing, to: treasury, amountMicro }] : [];
}

export function sumOf(transfers: ChainTransfer[]): number {
  return transfers.reduce((sum, { amountMicro }) => sum + amountMicro, 0);
}

import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { adoptedBetween, straysBetween } from '../payments/public.ts';
import type { ChainTransfer } from '../chain/types.ts';
import type { Tx } from '../db/database.ts';
import { matchTransfers } from './match-transfers.ts';
import {
  recordScan,
  type ScannedTreasury,
  scanStart,
  settledBetween,
  settledElsewhere,
  undecidedPayments,
  wasChecked,
} from './queries.ts';

const STEP_BLOCKS = 2000;

/**
 * Matches the final blocks since the last scan, and stores the progress after each step. With a node that allows few blocks a
 * request, a long scan takes many requests; one that fails then goes on where it was. Stops before the first step in which
 * not every transfer has its row: the whole check decides about it.
 *
 * @throws ChainUnavailable
 */
export async function scanAhead(
  { db, chain, network, payTo }: Pick<Deps, 'db' | 'chain' | 'network' | 'payTo'>,
  stepBlocks = STEP_BLOCKS,
): Promise<void> {
  const treasury = { network: network.id, treasury: payTo, asset: network.usdc.address };
  // The first check books the balance before its first block.
  if (!(await wasChecked(db, treasury))) return;
  const final = await chain.finalBlock();
  for (let from = await scanStart(db, treasury); from !== null; from += stepBlocks) {
    const block = from + stepBlocks - 1;
    if (block > final) return;
    const range = { from, block, transfers: await chain.transfersOf(payTo, from, block) };
    const rows = await withTransaction(db, (tx) => readRange(tx, treasury, range), {
      mode: 'isolation level repeatable read',
    });
    const { problems, newStrays, moved, firstOpenBlock } = matchTransfers({
      treasury: payTo,
      final,
      ...range,
      ...rows,
    });
    if (problems.length + newStrays.length + moved.length > 0 || firstOpenBlock !== null) return;
    await recordScan(db, treasury, block);
  }
}

type ReadRange = { from: number; block: number; transfers: ChainTransfer[] };

/** Reads the rows that the transfers of these blocks are matched with. */
export async function readRange(tx: Tx, treasury: ScannedTreasury, { from, block, transfers }: ReadRange) {
  const { network } = treasury;
  const [settled, strays, adopted, undecided] = await Promise.all([
    settledBetween(tx, treasury, from, block),
    straysBetween(tx, network, from, block),
    adoptedBetween(tx, network, from, block),
    undecidedPayments(tx, treasury),
  ]);
  // A reorganization can have moved the transaction of a settled payment into these blocks.
  const known = new Set(settled.map(({ txHash, logIndex }) => `${txHash}:${logIndex}`));
  const unknown = transfers.filter(({ txHash, logIndex }) => !known.has(`${txHash}:${logIndex}`));
  const txHashes = [...new Set(unknown.map(({ txHash }) => txHash))];
  const elsewhere = await settledElsewhere(tx, treasury, { from, block, txHashes });
  return { settled: [...settled, ...elsewhere], strays, adopted, undecided };
}

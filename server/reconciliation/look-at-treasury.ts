import { accountsWithBalance, isShort, newestCheck, TREASURY } from '../ledger/public.ts';
import { ChainUnavailable } from '../chain/types.ts';
import type { LedgerDeps } from './check-ledger.ts';
import { settledAfter, undecidedPayments } from './queries.ts';

/**
 * Compares the treasury's USDC with the books, with two requests to the node. Returns whether that contradicts the newest
 * check: money is missing, or is there again. Only a whole check decides.
 */
export async function contradictsCheck(deps: LedgerDeps): Promise<boolean> {
  const { db, chain, network, payTo } = deps;
  const treasury = { network: network.id, treasury: payTo, asset: network.usdc.address };
  const check = await newestCheck(db);
  if (check === null) return false;
  try {
    const block = await chain.blockNumber();
    const chainMicro = await chain.balanceMicro(payTo, block);
    const [accounts, afterMicro, undecided] = await Promise.all([
      accountsWithBalance(db),
      settledAfter(db, treasury, block),
      undecidedPayments(db, treasury),
    ]);
    const bookedMicro = accounts.find(({ account }) => account === TREASURY)?.balanceMicro ?? 0;
    const leavingMicro = undecided
      .filter(({ payer }) => payer === payTo)
      .reduce((sum, { amountMicro }) => sum + amountMicro, 0);
    return chainMicro < bookedMicro - afterMicro - leavingMicro !== isShort(check);
  } catch (error) {
    if (error instanceof ChainUnavailable) return false;
    throw error;
  }
}

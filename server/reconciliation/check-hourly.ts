import { checkLedger, type LedgerDeps } from './check-ledger.ts';
import { setNextTurn, takeTurn } from '../ledger/public.ts';

const HOUR_MS = 3_600_000;
// Mended, the books are looked at again soon, and payouts go on.
const AFTER_MISMATCH_MS = 5 * 60_000;
const AFTER_FAILURE_MS = 60_000;
// A check that takes longer than this would be begun a second time, which does no harm.
const CHECK_MS = 10 * 60_000;

/**
 * Checks the ledger once an hour in all, however many processes ask every minute whether it is due. A check that can't be
 * made, because the chain does not answer, changes nothing and is tried again a minute later.
 */
export async function checkHourly(deps: LedgerDeps): Promise<void> {
  const startedAt = deps.clock.now().getTime();
  const after = (ms: number) => new Date(startedAt + ms);
  // Clocks of several processes differ by less than the time of a check.
  const latest = after(HOUR_MS + CHECK_MS);
  if (!(await takeTurn(deps.db, { now: after(0), dueAt: after(CHECK_MS), latest }))) return;
  let afterMs = AFTER_FAILURE_MS;
  try {
    const { balanced, chainMatches } = await checkLedger(deps);
    afterMs = balanced && chainMatches ? HOUR_MS : AFTER_MISMATCH_MS;
  } finally {
    await setNextTurn(deps.db, new Date(deps.clock.now().getTime() + afterMs));
  }
}

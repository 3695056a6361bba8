import { type CheckOptions, checkLedger, type LedgerDeps } from './check-ledger.ts';
import { newestCheck, setNextTurn, takeTurn } from '../ledger/public.ts';
import { contradictsCheck } from './look-at-treasury.ts';

const HOUR_MS = 3_600_000;
// After a mismatch is repaired, an early check lets payouts continue.
const RECHECK_AFTER_MISMATCH_MS = 5 * 60_000;
const RETRY_AFTER_FAILURE_MS = 60_000;
// A check that takes longer is started a second time, which does no harm.
const CHECK_LEASE_MS = 10 * 60_000;

/**
 * Checks the ledger once an hour across all processes, and at once if money of the treasury is missing or is there again.
 * Each process calls it every minute. If the chain does not
 * respond, nothing is stored, and the check runs again one minute later.
 *
 * @param options those of `checkLedger`
 */
export async function checkHourly(deps: LedgerDeps, options: CheckOptions = {}): Promise<void> {
  const startedAt = deps.clock.now().getTime();
  const after = (ms: number) => new Date(startedAt + ms);
  // Clocks of different processes differ by less than the lease of a check.
  const latest = after(HOUR_MS + CHECK_LEASE_MS);
  if (await contradictsCheck(deps)) await setNextTurn(deps.db, after(0));
  const lease = after(CHECK_LEASE_MS);
  if (!(await takeTurn(deps.db, { now: after(0), dueAt: lease, latest }))) return;
  let afterMs = RETRY_AFTER_FAILURE_MS;
  try {
    await checkLedger(deps, options);
    const newest = await newestCheck(deps.db);
    afterMs = newest?.balanced && newest.chainMatches ? HOUR_MS : RECHECK_AFTER_MISMATCH_MS;
  } finally {
    await setNextTurn(deps.db, new Date(deps.clock.now().getTime() + afterMs), lease);
  }
}

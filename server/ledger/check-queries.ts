import type { Queryable, Tx } from '../db/database.ts';
import { driftedAccounts, listAccounts, unbalancedJournals, type AccountRow } from './queries.ts';

export type LedgerCheckRow = {
  checkedAt: Date;
  balanced: boolean;
  chainMatches: boolean;
  problems: string[];
  block: number;
  /**
   * The treasury's balance in the ledger, and its USDC on chain at the block. Null for checks stored before these
   * columns existed.
   */
  treasuryMicro: number | null;
  chainMicro: number | null;
  /** What the treasury must hold at the block, by the books and the payments in flight. */
  owedMicro: number | null;
};

/** Returns the newest ledger check, or null before the first one. Index ledger_checks_at. */
export async function newestCheck(db: Queryable): Promise<LedgerCheckRow | null> {
  const [row] = await db<LedgerCheckRow[]>`
    select checked_at as "checkedAt", balanced, chain_matches as "chainMatches", problems, block,
      treasury_micro as "treasuryMicro", chain_micro as "chainMicro", owed_micro as "owedMicro"
    from ledger_checks order by checked_at desc, id desc limit 1`;
  return row ?? null;
}

const KEPT_CHECKS = 1000;

const KEPT_PROBLEMS = 100;

/**
 * Stores a check with a time later than all others. A clock that was set back, in this process or another one, must not
 * hide the new result. A check without a problem is not stored after one that may have read later: `before` is the time of
 * the newest check when it began to read. A mismatch always counts.
 */
export async function insertCheck(tx: Tx, id: string, check: LedgerCheckRow, before: Date | null): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('ledger checks', 0))`;
  await tx`
    insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block, treasury_micro, chain_micro, owed_micro)
    select ${id}, greatest(${check.checkedAt}, max(checked_at) + interval '1 millisecond'), ${check.balanced},
      ${check.chainMatches}, ${check.problems.slice(0, KEPT_PROBLEMS)}, ${check.block}, ${check.treasuryMicro}, ${check.chainMicro}, ${check.owedMicro}
    from ledger_checks
    having not ${check.balanced && check.chainMatches} or max(checked_at) is not distinct from ${before}`;
  await tx`
    delete from ledger_checks where (checked_at, id) <= (
      select checked_at, id from ledger_checks order by checked_at desc, id desc offset ${KEPT_CHECKS} limit 1)`;
}

/**
 * Returns true for one process if the hourly check is due. If that process dies, the check is due again at `dueAt`.
 *
 * A stored time after `latest` can only come from a clock that was set back later, so it is ignored.
 */
export async function takeTurn(
  db: Queryable,
  { now, dueAt, latest }: { now: Date; dueAt: Date; latest: Date },
): Promise<boolean> {
  const { count } = await db`
    insert into ledger_check_turn (due_at) values (${dueAt})
    on conflict (single) do update set due_at = excluded.due_at
      where ledger_check_turn.due_at <= ${now} or ledger_check_turn.due_at > ${latest}`;
  return count === 1;
}

/** Makes the next check due at `dueAt` if it was due later, or in the turn `own` that the caller took. */
export async function setNextTurn(db: Queryable, dueAt: Date, own: Date | null = null): Promise<void> {
  await db`update ledger_check_turn set due_at = ${dueAt} where due_at > ${dueAt} or due_at = ${own}`;
}

/** Checks the ledger's own invariants: each journal sums to zero, and each balance equals the sum of its entries. */
export async function checkJournals(db: Queryable): Promise<{ accounts: AccountRow[]; problems: string[] }> {
  const [accounts, unbalanced, drifted] = await Promise.all([
    listAccounts(db),
    unbalancedJournals(db),
    driftedAccounts(db),
  ]);
  return { accounts, problems: [...unbalanced, ...drifted].map(({ problem }) => problem) };
}

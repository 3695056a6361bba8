import type { Queryable, Tx } from '../../ports/database.ts';

/** Stored caps. Null: no cap. `spentMicro` belongs to the UTC day `spentOn`. */
export type StoredBudget = {
  perEntryMicro: number | null;
  perDayMicro: number | null;
  /** YYYY-MM-DD; null before the first entry fee. */
  spentOn: string | null;
  spentMicro: number;
};

const columns = (db: Queryable) => db`
  budget_per_entry_micro as "perEntryMicro", budget_per_day_micro as "perDayMicro", spent_on::text as "spentOn",
  spent_micro as "spentMicro"`;

export async function findBudget(db: Queryable, agentId: string): Promise<StoredBudget | null> {
  const [row] = await db<StoredBudget[]>`select ${columns(db)} from agents where id = ${agentId}`;
  return row ?? null;
}

/** Undefined keeps a cap. Returns the stored budget, or null if the agent does not exist. */
export async function updateBudget(
  db: Queryable,
  agentId: string,
  {
    perEntryMicro,
    perDayMicro,
  }: { perEntryMicro?: number | null | undefined; perDayMicro?: number | null | undefined },
): Promise<StoredBudget | null> {
  const [row] = await db<StoredBudget[]>`
    update agents set
      budget_per_entry_micro = ${perEntryMicro === undefined ? db`budget_per_entry_micro` : perEntryMicro},
      budget_per_day_micro = ${perDayMicro === undefined ? db`budget_per_day_micro` : perDayMicro}
    where id = ${agentId} returning ${columns(db)}`;
  return row ?? null;
}

/**
 * Adds an entry fee to those of the day, and returns the budget with it. Locks the agent's row, so that payments of one
 * agent are added one after the other. At midnight, the new day stays when another process's clock is late. A later day
 * comes from a clock that was set back: its fees would use up the budget until that day, so the day begins anew.
 */
export async function addSpent(
  tx: Tx,
  spent: { agentId: string; amountMicro: number; day: string },
): Promise<StoredBudget | null> {
  const { agentId, amountMicro, day } = spent;
  const counts = tx`spent_on between ${day}::date and ${day}::date + 1`;
  const [row] = await tx<StoredBudget[]>`
    update agents set spent_on = case when ${counts} then spent_on else ${day}::date end,
      spent_micro = ${amountMicro}::bigint + case when ${counts} then spent_micro else 0 end
    where id = ${agentId} returning ${columns(tx)}`;
  return row ?? null;
}

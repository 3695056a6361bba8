import type { z } from 'zod';
import type { budget } from '../../../contract/agents/budget.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Queryable, Tx } from '../../ports/database.ts';
import { agentNotFound } from '../accounts/public.ts';
import { addSpent, findBudget, type StoredBudget } from './budget-queries.ts';

const DAY_MS = 86_400_000;

/** An agent's caps, with the entry fees of the current UTC day. Null: no cap. */
export type Budget = { perEntryMicro: number | null; perDayMicro: number | null; spentMicro: number };

/** @throws DomainError AGENT_NOT_FOUND */
export async function budgetOf(db: Queryable, agentId: string, now: Date): Promise<Budget> {
  const stored = await findBudget(db, agentId);
  if (!stored) throw agentNotFound();
  return budgetAt(stored, now);
}

/**
 * Returns the budget of a day. Fees of earlier days do not count. Fees of the next day do: at midnight, the clock of another
 * process can be ahead. Those of a later day come from a clock that was set back.
 */
export function budgetAt({ perEntryMicro, perDayMicro, spentOn, spentMicro }: StoredBudget, now: Date): Budget {
  const isToday = spentOn !== null && spentOn >= dayOf(now) && spentOn <= dayOf(new Date(now.getTime() + DAY_MS));
  return { perEntryMicro, perDayMicro, spentMicro: isToday ? spentMicro : 0 };
}

/**
 * Checks whether an entry fee fits the caps.
 *
 * @throws DomainError BUDGET_EXCEEDED
 */
export function requireBudget({ perEntryMicro, perDayMicro, spentMicro }: Budget, feeMicro: number): void {
  // A free entry spends nothing.
  if (feeMicro === 0) return;
  const fee = `Entry fee of ${usdc(feeMicro)} not charged: `;
  if (perEntryMicro !== null && feeMicro > perEntryMicro)
    throw new DomainError('BUDGET_EXCEEDED', `${fee}this agent's cap is ${usdc(perEntryMicro)} an entry.`);
  if (perDayMicro !== null && spentMicro + feeMicro > perDayMicro)
    throw new DomainError(
      'BUDGET_EXCEEDED',
      `${fee}this agent's cap is ${usdc(perDayMicro)} a UTC day, and ${usdc(spentMicro)} of it is spent.`,
    );
}

/**
 * Counts an entry fee that the service is about to take. The caller claims the payment in the same transaction, and holds
 * the locks of the project and the submission.
 *
 * A fee counts from here on, also if it fails later or is refunded: until its signature expires, it could still move money.
 *
 * @throws DomainError BUDGET_EXCEEDED, also when another process took the last of the day's budget
 */
export async function spendBudget(
  tx: Tx,
  { agentId, amountMicro, now }: { agentId: string; amountMicro: number; now: Date },
): Promise<void> {
  const stored = await addSpent(tx, { agentId, amountMicro, day: dayOf(now) });
  if (!stored) throw agentNotFound();
  requireBudget({ ...stored, spentMicro: stored.spentMicro - amountMicro }, amountMicro);
}

/** Returns the budget as answers show it, in decimal USDC. */
export function shownBudget({ perEntryMicro, perDayMicro, spentMicro }: Budget, now: Date): z.input<typeof budget> {
  return {
    per_entry: perEntryMicro === null ? null : usdcNumber(perEntryMicro),
    per_day: perDayMicro === null ? null : usdcNumber(perDayMicro),
    spent_today: usdcNumber(spentMicro),
    left_today: perDayMicro === null ? null : usdcNumber(Math.max(0, perDayMicro - spentMicro)),
    resets_at: new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS),
  };
}

function usdc(micro: number): string {
  return `${usdcNumber(micro)} USDC`;
}

/** Returns the UTC day as `YYYY-MM-DD`. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

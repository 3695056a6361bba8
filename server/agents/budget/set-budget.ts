import type { budgetOperations } from '../../../contract/agents/budget.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { agentNotFound } from '../accounts/public.ts';
import { updateBudget } from './budget-queries.ts';
import { budgetAt, shownBudget } from './budget.ts';

type Operation = typeof budgetOperations.setBudget;

/** Sets or clears the caps. They apply to every payment that the service has not accepted yet. */
export async function setBudget(ctx: Context<AgentCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const caps = { perEntryMicro: body.per_entry, perDayMicro: body.per_day };
  const stored = await updateBudget(ctx.db, ctx.caller.agentId, caps);
  if (!stored) throw agentNotFound();
  return { budget: shownBudget(budgetAt(stored, now), now) };
}

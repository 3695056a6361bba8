import { z } from 'zod';
import { usdcAmount } from '../basics/money.ts';
import { operation } from '../basics/operation.ts';
import { timestamp } from '../basics/text.ts';

const cap = z.number().nullable();

/** An agent's caps on entry fees, and what it has spent of them. Amounts are decimal USDC. */
export const budget = z
  .object({
    per_entry: cap.meta({ description: 'The highest entry fee, in USDC; null without a cap' }),
    per_day: cap.meta({ description: 'The most entry fees of a UTC day, in USDC; null without a cap' }),
    spent_today: z
      .number()
      .meta({ description: 'The entry fees that the service accepted this UTC day, in USDC; refunds do not lower it' }),
    left_today: cap.meta({ description: 'What is left of per_day, in USDC; null without a cap' }),
    resets_at: timestamp.meta({ description: 'The end of this UTC day' }),
  })
  .meta({ id: 'AgentBudget' });

/** The caps on an agent's entry fees. */
export const budgetOperations = {
  setBudget: operation({
    id: 'setBudget',
    method: 'put',
    path: '/agents/me/budget',
    tag: 'Agents',
    summary: 'Cap the entry fees that you pay',
    description:
      'The service refuses an entry fee above a cap with 403 BUDGET_EXCEEDED, before it charges anything. Null clears a cap. An omitted cap keeps its value. `GET /agents/me` shows the same `budget`.',
    auth: 'agent',
    limits: ['agentAccount'],
    body: z.strictObject({
      per_entry: usdcAmount.nullable().optional(),
      per_day: usdcAmount.nullable().optional(),
    }),
    status: 200,
    output: z.object({ budget }),
  }),
};

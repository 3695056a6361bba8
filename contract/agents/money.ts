import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { operationsOf } from '../basics/operation.ts';
import { id, timestamp } from '../basics/text.ts';
import { pageEnd, pageQuery } from '../basics/lists.ts';

const sums = {
  fees_micro: microAmount.meta({ description: 'Entry fees that were charged, refunded ones included' }),
  refunds_micro: microAmount.meta({ description: 'Refunds that have settled' }),
  prizes_micro: microAmount.meta({ description: 'Prizes and shares that have settled' }),
  net_micro: microAmount.meta({ description: 'prizes_micro + refunds_micro - fees_micro; may be negative' }),
  pending_micro: microAmount.meta({ description: 'Prizes, shares, and refunds that are owed and have not settled' }),
};

/** The money that an agent paid and received. */
export const agentMoneyOperations = operationsOf({
  getAgentMoney: {
    method: 'get',
    path: '/agents/me/money',
    tag: 'Agents',
    summary: 'Read what you paid and received, in total, by month, and by project',
    description:
      'Amounts are microdollars. The list has the projects in which money of yours moved or is owed, the newest intent first.',
    auth: 'agent',
    limits: ['agentAccount'],
    query: z.object(pageQuery(100, 20)),
    output: z.object({
      total: z.object(sums),
      months: z
        .array(
          z.object({ month: z.string().meta({ description: 'YYYY-MM' }), ...sums }).meta({ id: 'MonthMoneyOfAgent' }),
        )
        .meta({ description: 'By the UTC month of the intent, newest first' }),
      projects: z.array(
        z
          .object({ project_id: id, project_title: z.string(), submission_id: id, created_at: timestamp, ...sums })
          .meta({ id: 'ProjectMoneyOfAgent' }),
      ),
      pagination: z.object({
        limit: z.int(),
        total_returned: z.int(),
        ...pageEnd,
      }),
    }),
  },
});

import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { operation } from '../basics/operation.ts';
import { id, timestamp, uuid } from '../basics/text.ts';
import { page } from './pages.ts';

/** The entries of one agent, for the operator. */
export const agentEntryOperations = {
  listAgentEntries: operation({
    id: 'listAgentEntries',
    method: 'get',
    path: '/operator/agents/{agent_id}/submissions',
    tag: 'Operator',
    summary: "List an agent's submissions with their pictures, newest first",
    auth: 'operator',
    params: z.object({ agent_id: uuid }),
    query: z.object({ ...page }),
    status: 200,
    output: z.object({
      submissions: z.array(
        z
          .object({
            id,
            title: z.string(),
            status: z.enum(['pending', 'submitted', 'withdrawn']),
            outcome: z.enum(['won', 'lost', 'shared', 'cancelled']).nullable(),
            project: z.object({ id, name: z.string() }),
            entry_fee_paid_micro: microAmount,
            earnings_micro: microAmount,
            score: z.int().nullable(),
            disqualified_at: timestamp.nullable(),
            created_at: timestamp,
            thumbnail_url: z
              .string()
              .nullable()
              .meta({ format: 'uri', description: 'Of item 1; null before the entry is confirmed' }),
          })
          .meta({ id: 'AgentEntry' }),
      ),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
  }),
};

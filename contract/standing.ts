import { z } from 'zod';
import { microAmount } from './money.ts';
import { operation } from './operation.ts';
import { integerText, parseIsoDate } from './projects.ts';
import { id, text, timestamp, uuid } from './text.ts';

export const agentStatus = z.enum(['active', 'limited', 'suspended', 'under_review']);
const agentTier = z.enum(['starter', 'pro', 'elite']);

const agentPath = z.object({ agent_id: uuid });

/** When a status ends by itself. */
export const statusUntil = z
  .string()
  .transform((value, ctx) => {
    const date = parseIsoDate(value);
    if (date) return date;
    ctx.addIssue({ code: 'custom', message: 'an ISO 8601 date-time', input: value });
    return z.NEVER;
  })
  .meta({ description: 'ISO 8601 date-time, in the future: the agent is active again from then on' });

export const statusReason = text(1, 500).meta({ description: 'The agent reads it' });

const agent = {
  id,
  name: z.string(),
  status: agentStatus.meta({ description: 'As it is now: one whose time is over is `active`' }),
  status_reason: z.string().nullable(),
  status_until: timestamp.nullable().meta({ description: 'Null: until the operator says so' }),
  tier: agentTier,
  created_at: timestamp,
  last_active_at: timestamp,
  total_wins: z.int(),
  earned_micro: microAmount.meta({ description: 'Settled on chain' }),
};

const listedAgent = z.object(agent).meta({ id: 'OperatorAgent' });

const statusChange = z
  .object({
    at: timestamp,
    actor: z.string().meta({ description: 'operator, system (failed payments) or timer (its time was over)' }),
    from: agentStatus,
    to: agentStatus,
    reason: z.string().nullable(),
    until: timestamp.nullable(),
  })
  .meta({ id: 'AgentStatusChange' });

const agentDetail = z
  .object({
    ...agent,
    description: z.string(),
    specializations: z.array(z.string()),
    pending_micro: microAmount.meta({ description: 'Awarded, not settled yet' }),
    total_projects: z.int().meta({ description: 'Entered, by an intent already' }),
    total_submissions: z.int().meta({ description: 'Confirmed' }),
    wallet: z.object({ address: z.string().nullable(), proven: z.boolean() }),
    webhook: z.object({ id, status: z.enum(['active', 'disabled', 'failing']) }).nullable(),
    failed_payment_days: z
      .array(z.string().meta({ format: 'date' }))
      .meta({ description: 'UTC days of the last week on which the limit of failed payments was reached' }),
    status_changes: z.array(statusChange).meta({ description: 'Newest first, at most 50; the audit trail has all' }),
  })
  .meta({ id: 'OperatorAgentDetail' });

export const standingOperations = {
  listAgents: operation({
    id: 'listAgents',
    method: 'get',
    path: '/operator/agents',
    tag: 'Operator',
    summary: 'Find agents: newest first, or by the beginning of a name',
    auth: 'operator',
    query: z.object({
      status: agentStatus.optional(),
      tier: agentTier.optional(),
      search: text(1, 100).optional().meta({
        description:
          'The beginning of a name, in any letter case: the answer is in the order of names. Or an id, or its first 8 digits or more.',
      }),
      limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; 50 when left out' }),
      cursor: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'Opaque; `next_cursor` of the page before, with the same parameters' }),
    }),
    status: 200,
    output: z.object({ agents: z.array(listedAgent), has_more: z.boolean(), next_cursor: z.string().nullable() }),
  }),

  getAgent: operation({
    id: 'getAgent',
    method: 'get',
    path: '/operator/agents/{agent_id}',
    tag: 'Operator',
    summary: 'Look at one agent: its figures, and how its status came about',
    auth: 'operator',
    params: agentPath,
    status: 200,
    output: z.object({ agent: agentDetail }),
    errors: ['AGENT_NOT_FOUND'],
  }),

  setAgentStatus: operation({
    id: 'setAgentStatus',
    method: 'put',
    path: '/operator/agents/{agent_id}/status',
    tag: 'Operator',
    summary: 'Limit, suspend or review an agent, or let it go on',
    description:
      '`limited` and `under_review`: no new intents and no new payments; what is paid can be uploaded and confirmed. `suspended`: the own profile alone, and no webhooks. It holds everywhere within a second. What the agent has submitted stays in the competition, is judged and paid; disqualify it if it must not. The same again changes nothing.',
    auth: 'operator',
    params: agentPath,
    body: z
      .object({ status: agentStatus, reason: statusReason, until: statusUntil.optional() })
      .refine(({ status, until }) => status !== 'active' || until === undefined, {
        path: ['until'],
        message: 'not with active: it has no end',
      }),
    status: 200,
    output: z.object({ message: z.string(), agent: agentDetail }),
    errors: ['AGENT_NOT_FOUND'],
  }),
};

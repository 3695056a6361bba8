import { z } from 'zod';
import { agentStatus, agentTier, modelInfo } from './agents.ts';
import { microAmount } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { listQuery, pageEnd, someOf } from '../basics/lists.ts';
import { isoDateTime } from '../basics/iso-date.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';

const agentPath = z.object({ agent_id: uuid });

/** Why a status changes: 1 to 500 characters, shown to the agent. */
export const statusReason = text(1, 500).meta({ description: 'Shown to the agent' });

const agent = {
  id,
  name: z.string(),
  status: agentStatus.meta({ description: 'Current status: `active` once a temporary status has ended' }),
  status_reason: z.string().nullable(),
  status_until: timestamp.nullable().meta({ description: 'Null if only the operator can end the status' }),
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
    actor: z.string().meta({ description: 'operator, system (failed payments) or timer (the status ended)' }),
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
    model_info: modelInfo.nullable(),
    avatar_url: z.string().meta({ format: 'uri' }),
    pending_micro: microAmount.meta({ description: 'Awarded but not settled yet' }),
    total_projects: z.int().meta({ description: 'Projects entered, counted from the intent' }),
    total_submissions: z.int().meta({ description: 'Confirmed entries' }),
    wallet: z.object({
      address: z.string().nullable(),
      linked: z.boolean(),
      proven: z.boolean(),
      pending: z.object({ address: z.string(), effective_at: timestamp }).nullable().meta({
        description: 'The wallet that takes the place of the proven one at that time; null without a change',
      }),
    }),
    webhook: z.object({ id, status: z.enum(['active', 'disabled', 'failing']) }).nullable(),
    failed_payment_days: z
      .array(z.string().meta({ format: 'date' }))
      .meta({ description: 'UTC days of the last week on which the agent reached the limit of failed payments' }),
    status_changes: z
      .array(statusChange)
      .meta({ description: 'Newest first, at most 50; the audit trail has all of them' }),
  })
  .meta({ id: 'OperatorAgentDetail' });

/** Agents as the operator sees and restricts them. */
export const standingOperations = operationsOf({
  listAgents: {
    ...asOperator,
    method: 'get',
    path: '/operator/agents',
    summary: 'List agents, newest first',
    query: z.object({
      state: someOf(agentStatus.options),
      tier: someOf(agentTier.options),
      search: text(1, 100).optional().meta({ description: 'The beginning of a name, in any letter case' }),
      ...listQuery,
    }),
    output: z.object({ agents: z.array(listedAgent), ...pageEnd }),
  },

  getAgent: {
    ...asOperator,
    method: 'get',
    path: '/operator/agents/{agent_id}',
    summary: 'Read one agent, its stats and its status changes',
    params: agentPath,
    output: z.object({ agent: agentDetail }),
    errors: ['AGENT_NOT_FOUND'],
  },

  setAgentStatus: {
    ...asOperator,
    method: 'put',
    path: '/operator/agents/{agent_id}/status',
    summary: 'Limit, suspend, review or reactivate an agent',
    description:
      '`limited` and `under_review`: no new intents and no new payments; paid entries can be uploaded and confirmed. `suspended`: the agent may only read its own profile and receives no webhooks. The change takes effect everywhere within one second. Confirmed entries stay in their competitions; disqualify them if they must not win. Repeating the request changes nothing. With `instead_of`, a status that another operator set meanwhile is not replaced.',
    params: agentPath,
    body: z
      .object({
        status: agentStatus,
        reason: statusReason,
        until: isoDateTime().optional().meta({
          description: 'ISO 8601 date-time, in the future. The agent becomes active again at that time',
        }),
        instead_of: agentStatus.optional().meta({ description: 'The status to replace, as you saw it' }),
      })
      .refine(({ status, until }) => status !== 'active' || until === undefined, {
        path: ['until'],
        message: 'not with active, which has no end',
      }),
    output: z.object({ message: z.string(), agent: agentDetail }),
    errors: ['AGENT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },
});

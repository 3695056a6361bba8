import type { Input, Output } from '../../../contract/basics/operation.ts';
import { agentStatus } from '../../../contract/agents/agents.ts';
import type { standingOperations } from '../../../contract/agents/standing.ts';
import { listAuditRows } from '../../audit/public.ts';
import type { Context, Deps } from '../../deps.ts';
import { webhooksOf } from '../../webhooks/public.ts';
import { findAgentDetail } from './agent-list-queries.ts';
import { shownListedAgent } from './list-agents.ts';
import { STATUS_ACTION } from '../standing/change-standing.ts';
import { firstCountedDay } from '../standing/failed-payments.ts';
import { listFailedPaymentDays } from '../standing/queries.ts';
import { pendingChange } from '../wallets/wallet-profile.ts';
import { agentNotFound } from '../accounts/locks.ts';
import { avatarUrl } from '../accounts/avatar.ts';
import type { OperatorCaller } from '../../callers.ts';
import { snakeCased } from '../../snake-case.ts';
import { changeAgentStatus } from '../standing/change-agent-status.ts';

type Operation = typeof standingOperations.getAgent;
type Detail = Output<Operation>['agent'];

const SHOWN_CHANGES = 50;

export async function getAgent(ctx: Context<OperatorCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  return { agent: await shownAgentDetail(ctx, params.agent_id) };
}

/** @throws DomainError AGENT_NOT_FOUND */
async function shownAgentDetail(
  { reads, clock, publicUrl }: Pick<Deps, 'reads' | 'clock' | 'publicUrl'>,
  agentId: string,
): Promise<Detail> {
  const now = clock.now();
  const [row, [webhook], days, { rows: lines }] = await Promise.all([
    findAgentDetail(reads, agentId),
    webhooksOf(reads, agentId),
    listFailedPaymentDays(reads, agentId, firstCountedDay(now)),
    listAuditRows(reads, { subject: `agent:${agentId}`, action: STATUS_ACTION, limit: SHOWN_CHANGES }),
  ]);
  if (!row) throw agentNotFound();
  return {
    ...snakeCased(row),
    ...shownListedAgent(row, now),
    avatar_url: avatarUrl(publicUrl, agentId),
    wallet: {
      address: row.walletAddress,
      linked: row.walletLinked,
      proven: row.walletProven,
      pending: pendingChange(row),
    },
    // Without the URL, because its path or query may be a secret.
    webhook: webhook ? { id: webhook.id, status: webhook.status } : null,
    failed_payment_days: days,
    status_changes: lines.map(({ at, actor, reason, details }) => ({
      at,
      actor,
      from: agentStatus.parse(details['from']),
      to: agentStatus.parse(details['to']),
      reason,
      until: typeof details['until'] === 'string' ? new Date(details['until']) : null,
    })),
  };
}

/** Sets an agent's status and returns the agent as the operator sees it. */
export async function setAgentStatus(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<typeof standingOperations.setAgentStatus>,
): Promise<Output<typeof standingOperations.setAgentStatus>> {
  await changeAgentStatus(ctx, { params, body });
  const agent = await shownAgentDetail(ctx, params.agent_id);
  return { message: `The agent is ${body.status.replace('_', ' ')}.`, agent };
}

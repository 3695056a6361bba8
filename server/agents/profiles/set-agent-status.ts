import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { standingOperations } from '../../../contract/agents/standing.ts';
import { changeAgentStatus } from '../standing/change-agent-status.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../callers.ts';
import { shownAgentDetail } from './get-agent.ts';

type Operation = typeof standingOperations.setAgentStatus;

/** Sets an agent's status and returns the agent as the operator sees it. */
export async function setAgentStatus(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  await changeAgentStatus(ctx, { params, body });
  const agent = await shownAgentDetail(ctx, params.agent_id);
  return { message: `The agent is ${body.status.replace('_', ' ')}.`, agent };
}

import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { avatarSvg } from './avatar.ts';
import { agentExists } from './queries.ts';
import { agentNotFound } from './locks.ts';
import type { PublicCaller } from '../../ports/callers.ts';

type Operation = typeof agentOperations.getAvatar;

/**
 * Returns the avatar of an existing agent as SVG.
 *
 * @throws DomainError AGENT_NOT_FOUND
 */
export async function getAvatar(ctx: Context<PublicCaller>, { params }: Input<Operation>): Promise<Output<Operation>> {
  if (!(await agentExists(ctx.db, params.agent_id))) throw agentNotFound();
  return avatarSvg(params.agent_id);
}

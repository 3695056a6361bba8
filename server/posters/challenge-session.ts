import type { Input, Output } from '../../contract/basics/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { newWalletMessage } from '../keys/public.ts';
import { insertChallenge } from './session-queries.ts';
import type { PublicCaller } from '../ports/callers.ts';

type Operation = typeof sessionOperations.challengeSession;

/** Returns an EIP-4361 message whose signature signs the wallet in. */
export async function challengeSession(
  ctx: Context<PublicCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const statement = `Sign in to ${ctx.config.serviceName} as a poster.`;
  const challenge = newWalletMessage(ctx, { address: body.address, statement });
  await withTransaction(ctx.db, (tx) => insertChallenge(tx, challenge));
  const { message, address, expiresAt } = challenge;
  return { message, address, expiresAt };
}

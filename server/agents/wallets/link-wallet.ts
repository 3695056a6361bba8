import type { agentOperations } from '../../../contract/agents/agents.ts';
import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { nonceOf, isCurrentMessage } from '../../keys/public.ts';
import { lockWallet, lockExistingAgent } from '../accounts/public.ts';
import { walletProfile } from './wallet-profile.ts';
import {
  findChallenge,
  findWalletObstacles,
  setProvenWallet,
  useChallenge,
  type WalletChallenge,
} from './wallet-queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';

type Operation = typeof agentOperations.linkWallet;

/**
 * Links the wallet that signed the agent's challenge, and replaces the previous wallet. The error for another agent's
 * challenge reveals nothing about it. A wrong signature does not use the challenge up.
 */
export async function linkWallet(ctx: Context<AgentCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const challenge = await requireChallenge(ctx, body.message);
  const { address, message } = challenge;
  // A contract wallet is verified over the network. Verify before the transaction that uses up the challenge.
  if (!(await ctx.chain.verifyMessage({ address, message, signature: body.signature }))) {
    throw invalidChallenge(`The signature is not valid for this message and the wallet ${address}.`);
  }
  const { pendingMicro } = await withTransaction(ctx.db, (tx) => link(ctx, tx, challenge));
  return { wallet: await walletProfile(ctx, { walletAddress: address, walletProven: true, pendingMicro }) };
}

/** Finds the agent's own challenge. The message must match exactly and must not be expired. */
async function requireChallenge(ctx: Context<AgentCaller>, message: string): Promise<WalletChallenge> {
  const nonce = nonceOf(message);
  if (nonce === null) {
    throw validationError([{ field: 'message', message: 'must be a message from POST /agents/me/wallet/challenge' }]);
  }
  const challenge = await findChallenge(ctx.db, { nonce, agentId: ctx.caller.agentId });
  if (!challenge || challenge.message !== message) throw unknownChallenge();
  if (!isCurrentMessage(ctx, message)) {
    throw invalidChallenge('This challenge has expired. Request a new one: POST /agents/me/wallet/challenge.');
  }
  return challenge;
}

async function link(
  ctx: Context<AgentCaller>,
  tx: Tx,
  { nonce, address, expiresAt }: WalletChallenge,
): Promise<{ pendingMicro: number }> {
  const { agentId } = ctx.caller;
  // Lock the agent before the wallet, as every transaction does. A concurrent entry of this agent then waits and sees
  // the wallet, or is seen here.
  const agent = await lockExistingAgent(tx, agentId);
  await lockWallet(tx, address);
  const now = ctx.clock.now();
  if (now >= expiresAt || !(await useChallenge(tx, { nonce, agentId }))) throw unknownChallenge();
  const { ofAnotherAgent, fundedAnEntry } = await findWalletObstacles(tx, { agentId, address });
  if (ofAnotherAgent) {
    throw new DomainError(
      'WALLET_ALREADY_LINKED',
      'This wallet is linked to another agent. A wallet can serve only one agent.',
    );
  }
  if (fundedAnEntry) {
    throw new DomainError('PROJECT_NOT_ACCEPTING', 'This wallet funded a project that this agent has entered.');
  }
  await recordAudit(ctx, tx, {
    at: now,
    actor: `agent:${agentId}`,
    action: 'agent.link_wallet',
    subject: `agent:${agentId}`,
    details: { wallet: address, previous: agent.walletAddress, previous_proven: agent.walletProven },
  });
  return await setProvenWallet(tx, { agentId, address, now });
}

/** Unknown, used, and other agents' challenges give the same error. */
function unknownChallenge(): DomainError {
  return invalidChallenge(
    'This challenge is unknown or was already used. Request a new one: POST /agents/me/wallet/challenge.',
  );
}

function invalidChallenge(message: string): DomainError {
  return new DomainError('WALLET_CHALLENGE_INVALID', message);
}

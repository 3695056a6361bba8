import type { agentOperations } from '../../../contract/agents.ts';
import { DomainError, validationError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operation.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { nonceOf, isCurrentMessage } from '../../keys/public.ts';
import { lockWallet, lockAgentForEntry } from '../accounts/public.ts';
import { walletBlock } from './wallet-block.ts';
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
 * Links the wallet that signed the agent's challenge, in place of the one that it had. Whoever has no right to the
 * challenge learns nothing of it, and a wrong signature does not end it.
 */
export async function linkWallet(ctx: Context<AgentCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const challenge = await requireChallenge(ctx, body.message);
  const { address, message } = challenge;
  // A contract is asked over the network: before the transaction, which takes the challenge once.
  if (!(await ctx.chain.verifyMessage({ address, message, signature: body.signature }))) {
    throw invalidChallenge(`The signature is not one of this message by ${address}.`);
  }
  const { pendingMicro } = await withTransaction(ctx.db, (tx) => link(ctx, tx, challenge));
  return { wallet: await walletBlock(ctx, { walletAddress: address, walletProven: true, pendingMicro }) };
}

/** The agent's own challenge, to the letter, for this service and this chain, and not over. */
async function requireChallenge(ctx: Context<AgentCaller>, message: string): Promise<WalletChallenge> {
  const nonce = nonceOf(message);
  if (nonce === null) {
    throw validationError([{ field: 'message', message: 'not a message of POST /agents/me/wallet/challenge' }]);
  }
  const challenge = await findChallenge(ctx.db, { nonce, agentId: ctx.caller.agentId });
  if (!challenge || challenge.message !== message) throw unknownChallenge();
  if (!isCurrentMessage(ctx, message)) {
    throw invalidChallenge('This challenge has expired. Ask for a new one: POST /agents/me/wallet/challenge.');
  }
  return challenge;
}

async function link(
  ctx: Context<AgentCaller>,
  tx: Tx,
  { nonce, address, expiresAt }: WalletChallenge,
): Promise<{ pendingMicro: number }> {
  const { agentId } = ctx.caller;
  // In the order of every other transaction. What the agent enters at the same time is seen here, or sees the wallet.
  const agent = await lockAgentForEntry(tx, agentId);
  await lockWallet(tx, address);
  const now = ctx.clock.now();
  if (now >= expiresAt || !(await useChallenge(tx, { nonce, agentId }))) throw unknownChallenge();
  const { ofAnotherAgent, fundedAnEntry } = await findWalletObstacles(tx, { agentId, address });
  if (ofAnotherAgent) {
    throw new DomainError('WALLET_ALREADY_LINKED', 'This wallet is linked to another agent: a wallet serves one.');
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

/** The same for a challenge that never was, that is another agent's, or that was used. */
function unknownChallenge(): DomainError {
  return invalidChallenge(
    'This is not a challenge of this agent, or not any more. Ask for a new one: POST /agents/me/wallet/challenge.',
  );
}

function invalidChallenge(message: string): DomainError {
  return new DomainError('WALLET_CHALLENGE_INVALID', message);
}

import type { agentOperations } from '../../../contract/agents/agents.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { OtherStatus } from '../../serve.ts';
import {
  requireSignature,
  requireSignedChallenge,
  useChallenge,
  type WalletMessage,
  createChallenge,
} from '../../keys/public.ts';
import { awaitWallet, lockForWallet, proveWallet } from './change-wallet.ts';
import { type Wallet, walletProfile } from './wallet-profile.ts';
import { requireAgent } from '../accounts/locks.ts';
import { findWalletObstacles } from './wallet-queries.ts';
import type { AgentCaller } from '../../callers.ts';
import type { Tx } from '../../db/database.ts';

type Operation = typeof agentOperations.linkWallet;

/**
 * Links the wallet that signed the agent's challenge. A linked wallet, which is proven or paid a fee, is replaced at once
 * only if it signed the same message; otherwise the change waits, because a stolen API key could request it. The error for
 * another agent's challenge reveals nothing about it. A wrong signature does not use the challenge up.
 */
export async function linkWallet(
  ctx: Context<AgentCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation> | OtherStatus<Output<Operation>>> {
  const { agentId } = ctx.caller;
  const challenge = await requireSignedChallenge(ctx, { purpose: `link:${agentId}`, ...body });
  const { address, message } = challenge;
  const replaced = body.current_signature === undefined ? null : (await requireAgent(ctx.db, agentId)).walletAddress;
  if (replaced !== null && body.current_signature !== undefined)
    await requireSignature(ctx, { address: replaced, message, signature: body.current_signature });
  const wallet = await withTransaction(ctx.db, (tx) => link(ctx, tx, { challenge, signedBy: replaced }));
  const shown = { wallet: await walletProfile(ctx, wallet) };
  return wallet.walletAddress === address ? shown : new OtherStatus(shown);
}

/** @param signedBy the wallet of the agent that signed the message, too */
async function link(
  ctx: Context<AgentCaller>,
  tx: Tx,
  { challenge, signedBy }: { challenge: WalletMessage; signedBy: string | null },
): Promise<Wallet> {
  const { agentId } = ctx.caller;
  const { address } = challenge;
  const agent = await lockForWallet(tx, { agentId, address });
  await useChallenge(ctx, tx, `link:${agentId}`, challenge);
  const now = ctx.clock.now();
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
  const { walletChangeMs } = ctx.config;
  const agrees = !agent.walletLinked || agent.walletAddress === address || agent.walletAddress === signedBy;
  if (agrees || walletChangeMs === 0)
    return await proveWallet(ctx, tx, { agentId, address, agent, actor: `agent:${agentId}`, at: now });
  const effectiveAt = new Date(now.getTime() + walletChangeMs);
  return await awaitWallet(ctx, tx, { agentId, address, effectiveAt, at: now });
}

/**
 * Returns an EIP-4361 message whose signature proves that the agent controls the wallet. The agent's earlier challenges
 * become invalid.
 */
export async function challengeWallet(
  ctx: Context<AgentCaller>,
  { body: { address } }: Input<typeof agentOperations.challengeWallet>,
): Promise<Output<typeof agentOperations.challengeWallet>> {
  const { agentId } = ctx.caller;
  const statement = `Link this wallet to the agent ${agentId} of ${ctx.config.serviceName}. The service pays the prizes of the agent to this wallet.`;
  return await createChallenge(ctx, { purpose: `link:${agentId}`, address, statement });
}

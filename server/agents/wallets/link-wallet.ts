import type { agentOperations } from '../../../contract/agents/agents.ts';
import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { OtherStatus } from '../../serve.ts';
import { nonceOf, messageProblem } from '../../keys/public.ts';
import { awaitWallet, lockForWallet, proveWallet } from './change-wallet.ts';
import { type Wallet, walletProfile } from './wallet-profile.ts';
import {
  findChallenge,
  findWalletOf,
  findWalletObstacles,
  useChallenge,
  type WalletChallenge,
} from './wallet-queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { SignedMessage } from '../../ports/chain.ts';
import type { Tx } from '../../ports/database.ts';

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
  const challenge = await requireChallenge(ctx, body.message);
  const { address, message } = challenge;
  // A contract wallet is verified over the network. Verify before the transaction that uses up the challenge.
  await requireSignature(ctx, { address, message, signature: body.signature });
  const replaced = body.current_signature === undefined ? null : await findWalletOf(ctx.db, ctx.caller.agentId);
  if (replaced !== null && body.current_signature !== undefined)
    await requireSignature(ctx, { address: replaced, message, signature: body.current_signature });
  const wallet = await withTransaction(ctx.db, (tx) => link(ctx, tx, { challenge, signedBy: replaced }));
  const shown = { wallet: await walletProfile(ctx, wallet) };
  return wallet.walletAddress === address ? shown : new OtherStatus(shown);
}

async function requireSignature(ctx: Context<AgentCaller>, signed: SignedMessage): Promise<void> {
  if (await ctx.chain.verifyMessage(signed)) return;
  throw invalidChallenge(`The signature is not valid for this message and the wallet ${signed.address}.`);
}

/** Finds the agent's own challenge. The message must match exactly and must not be expired. */
async function requireChallenge(ctx: Context<AgentCaller>, message: string): Promise<WalletChallenge> {
  const nonce = nonceOf(message);
  if (nonce === null) {
    throw validationError([{ field: 'message', message: 'must be a message from POST /agents/me/wallet/challenge' }]);
  }
  const challenge = await findChallenge(ctx.db, { nonce, agentId: ctx.caller.agentId });
  if (!challenge || challenge.message !== message) throw unknownChallenge();
  const problem = messageProblem(ctx, message);
  if (problem !== null) {
    throw invalidChallenge(`${problem} Request a new one: POST /agents/me/wallet/challenge.`);
  }
  return challenge;
}

/** @param signedBy the wallet of the agent that signed the message, too */
async function link(
  ctx: Context<AgentCaller>,
  tx: Tx,
  { challenge, signedBy }: { challenge: WalletChallenge; signedBy: string | null },
): Promise<Wallet> {
  const { agentId } = ctx.caller;
  const { nonce, address, expiresAt } = challenge;
  const agent = await lockForWallet(tx, { agentId, address });
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
  const { walletChangeMs } = ctx.config;
  const agrees = !agent.walletLinked || agent.walletAddress === address || agent.walletAddress === signedBy;
  if (agrees || walletChangeMs === 0)
    return await proveWallet(ctx, tx, { agentId, address, agent, actor: `agent:${agentId}`, at: now });
  const effectiveAt = new Date(now.getTime() + walletChangeMs);
  return await awaitWallet(ctx, tx, { agentId, address, effectiveAt, at: now });
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

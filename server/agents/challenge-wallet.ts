import { createSiweMessage } from 'viem/siwe';
import type { agentOperations } from '../../contract/agents.ts';
import type { Input, Output } from '../../contract/operation.ts';
import type { AgentCaller, Context } from '../context.ts';
import { withTransaction } from '../db/transaction.ts';
import { lockAgentForEntry } from './steps.ts';
import { replaceChallenge } from './wallet-queries.ts';

type Operation = typeof agentOperations.challengeWallet;

const LIFETIME_MS = 600_000;

/** A text (EIP-4361) whose signature shows that the wallet is the agent's. The agent's earlier ones end with it. */
export async function challengeWallet(
  ctx: Context<AgentCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const { address } = body;
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
  const nonce = ctx.randomBytes(16).toString('hex');
  const message = messageFor(ctx, { address, nonce, createdAt, expiresAt });
  await withTransaction(ctx.db, async (tx) => {
    await lockAgentForEntry(tx, agentId);
    await replaceChallenge(tx, { nonce, agentId, address, message, createdAt, expiresAt });
  });
  return { message, address, expiresAt };
}

type Challenge = { address: string; nonce: string; createdAt: Date; expiresAt: Date };

function messageFor(ctx: Context<AgentCaller>, { address, nonce, createdAt, expiresAt }: Challenge): string {
  const message = createSiweMessage({
    // viem takes no host of one label, which a private network may well have.
    domain: 'localhost',
    address: address as `0x${string}`,
    statement: `Link this wallet to the agent ${ctx.caller.agentId} of ${ctx.config.serviceName}: its prizes are paid to it. Signing costs nothing and moves no money.`,
    uri: ctx.publicUrl,
    version: '1',
    chainId: ctx.network.chainId,
    nonce,
    issuedAt: createdAt,
    expirationTime: expiresAt,
  });
  return message.replace('localhost', new URL(ctx.publicUrl).host);
}

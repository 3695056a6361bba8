import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { announceWallet } from '../accounts/announce-wallet.ts';
import { type AgentRow, lockAgent, lockWallet } from '../accounts/queries.ts';
import { lockExistingAgent } from '../accounts/locks.ts';
import type { Wallet } from './wallet-profile.ts';
import { findLinkedAgent, setPendingWallet, setProvenWallet, unlinkWallet } from './wallet-queries.ts';
import type { Tx } from '../../db/database.ts';

type Change = { agentId: string; address: string };

/**
 * Locks the agent, the agent that may lose the wallet, and then the wallet, as every transaction does. A concurrent entry
 * of the agent then waits and sees the wallet, or is seen here.
 */
export async function lockForWallet(tx: Tx, { agentId, address }: Change): Promise<AgentRow> {
  const loser = await findLinkedAgent(tx, { agentId, address });
  // Agents are locked in the order of their ids.
  if (loser !== null && loser < agentId) await lockAgent(tx, loser);
  const agent = await lockExistingAgent(tx, agentId);
  if (loser !== null && loser > agentId) await lockAgent(tx, loser);
  await lockWallet(tx, address);
  return agent;
}

/**
 * Makes an address the agent's proven wallet. An agent to which it was only linked by a payment loses it. The caller holds
 * the locks, and has checked that the change is allowed.
 */
export async function proveWallet(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, address, agent, actor, at }: Change & { agent: AgentRow; actor: string; at: Date },
): Promise<Wallet> {
  const loser = await findLinkedAgent(tx, { agentId, address });
  if (loser !== null && (await unlinkWallet(tx, { agentId: loser, address }))) {
    await recordAudit(deps, tx, {
      at,
      actor: `agent:${agentId}`,
      action: 'agent.lose_wallet',
      subject: `agent:${loser}`,
      reason: 'another agent signed with this wallet',
      details: { wallet: address },
    });
    await announceWallet(deps, tx, { agentId: loser, status: 'lost', address, effectiveAt: at, at });
  }
  await recordAudit(deps, tx, {
    at,
    actor,
    action: 'agent.link_wallet',
    subject: `agent:${agentId}`,
    details: { wallet: address, previous: agent.walletAddress, previous_proven: agent.walletProven },
  });
  // Prizes go to a linked wallet only, so the link of a stated address is a change, too.
  if (!agent.walletLinked || agent.walletAddress !== address)
    await announceWallet(deps, tx, { agentId, status: 'changed', address, effectiveAt: at, at });
  return await setProvenWallet(tx, { agentId, address, now: at });
}

/** Lets an address wait until it takes the place of the linked wallet. It replaces an earlier change. */
export async function awaitWallet(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, address, effectiveAt, at }: Change & { effectiveAt: Date; at: Date },
): Promise<Wallet> {
  await recordAudit(deps, tx, {
    at,
    actor: `agent:${agentId}`,
    action: 'agent.request_wallet',
    subject: `agent:${agentId}`,
    details: { wallet: address, effective_at: effectiveAt },
  });
  await announceWallet(deps, tx, { agentId, status: 'pending', address, effectiveAt, at });
  return await setPendingWallet(tx, agentId, { address, effectiveAt });
}

/** Ends a pending change. The agent keeps its wallet. */
export async function dropPendingWallet(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, address, actor, reason, at }: Change & { actor: string; reason: string; at: Date },
): Promise<Wallet> {
  await recordAudit(deps, tx, {
    at,
    actor,
    action: 'agent.cancel_wallet_change',
    subject: `agent:${agentId}`,
    reason,
    details: { wallet: address },
  });
  await announceWallet(deps, tx, { agentId, status: 'cancelled', address, effectiveAt: at, at });
  return await setPendingWallet(tx, agentId, null);
}

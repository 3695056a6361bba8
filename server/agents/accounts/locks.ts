import { DomainError } from '../../../contract/basics/errors.ts';
import type { Deps } from '../../deps.ts';
import { announceWallet } from './announce-wallet.ts';
import { listKeysOf } from '../../keys/public.ts';
import { type AgentRow, findAgent, lockAgent, lockWallet, linkPayer } from './queries.ts';
import type { Queryable, Tx } from '../../db/database.ts';

/** The error for an agent id that does not exist. */
export function agentNotFound(): DomainError {
  return new DomainError('AGENT_NOT_FOUND', 'Agent not found.');
}

/** @throws DomainError AGENT_NOT_FOUND */
export async function requireAgent(db: Queryable, agentId: string): Promise<AgentRow> {
  const agent = await findAgent(db, agentId);
  if (!agent) throw agentNotFound();
  return agent;
}

/** Drops the agent's keys from this process's cache, so the next request reads the agent's current state. */
export async function forgetKeysOf({ db, knownKeys }: Pick<Deps, 'db' | 'knownKeys'>, agentId: string): Promise<void> {
  for (const { id } of await listKeysOf(db, { kind: 'agent', id: agentId }, 0)) knownKeys.forget(id);
}

/**
 * Locks the agent's row until the transaction ends and returns the agent. The lock makes changes to one agent run one
 * after the other.
 *
 * @throws DomainError AGENT_NOT_FOUND
 */
export async function lockExistingAgent(tx: Tx, agentId: string): Promise<AgentRow> {
  const agent = await lockAgent(tx, agentId);
  if (!agent) throw agentNotFound();
  return agent;
}

/**
 * Links the payer of the agent's first settled entry fee as the agent's wallet, and tells the agent. Runs in the
 * transaction that books the fee, and never makes that transaction fail.
 *
 * The wallet is linked, not proven: a signed payment can be presented by somebody else than its signer. The agent that
 * signs a challenge with the wallet takes it over.
 *
 * The wallet is not linked if the agent already has a linked wallet, and in four more cases:
 * - The agent declared another wallet.
 * - A prize waits for a wallet that the agent did not declare, and a key without the scope `owner` paid (`byOwner`).
 * - The wallet is already linked to another agent.
 * - The wallet funded a project that this agent has entered. Its prize would return to its own funder.
 *
 * @param agent the agent, locked by the caller, so that a concurrent entry waits and then sees the wallet
 * @returns whether the wallet was linked now
 */
export async function linkFirstWallet(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  agent: AgentRow,
  { payer, byOwner, now }: { payer: string; byOwner: boolean; now: Date },
): Promise<boolean> {
  const { id: agentId } = agent;
  if (agent.walletLinked || (agent.walletAddress !== null && agent.walletAddress !== payer)) return false;
  // Two agents can book a first fee of one wallet at the same time. A violated unique index would roll the booking
  // back, so the second waits for this lock instead.
  const [, linked] = await Promise.all([
    lockWallet(tx, payer),
    linkPayer(tx, { agentId, address: payer, byOwner, now }),
  ]);
  if (linked) await announceWallet(deps, tx, { agentId, status: 'changed', address: payer, effectiveAt: now, at: now });
  return linked;
}

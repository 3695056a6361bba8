import type { sessionOperations } from '../../../contract/sessions.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { listSessions, type SessionRow } from '../../keys/public.ts';
import type { AgentCaller } from '../../callers.ts';
import { requireAgent } from '../accounts/locks.ts';
import { findWalletHolder } from './session-queries.ts';
import { oneSession, sessionView } from './session-view.ts';

type Operation = typeof sessionOperations.getAgentSession;

/** Returns the signed-in agent, the session of the request, and all sessions that have not ended. */
export async function getAgentSession(ctx: Context<AgentCaller>): Promise<Output<Operation>> {
  const { agentId, scope, sessionId } = ctx.caller;
  const [{ name }, stored] = await Promise.all([
    requireAgent(ctx.db, agentId),
    listSessions(ctx.db, { kind: 'agent', accountId: agentId }, ctx.clock.now()),
  ]);
  const sessions = await withProvenWallet(ctx, stored);
  const session = sessions.find(({ id }) => id === sessionId);
  // The session ended while this request was in progress.
  if (sessionId !== undefined && !session) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  return {
    ...sessionView({ agentId, name, scope }, session ?? null, sessionId),
    sessions: sessions.map((each) => oneSession(each, sessionId)),
  };
}

/** Leaves the sessions out whose wallet is no longer the agent's. */
async function withProvenWallet({ db, caller: { agentId } }: Context<AgentCaller>, sessions: SessionRow[]) {
  const wallets = [...new Set(sessions.flatMap(({ wallet }) => wallet ?? []))];
  const holders = await Promise.all(wallets.map((wallet) => findWalletHolder(db, { agentId, wallet })));
  return sessions.filter(({ wallet }) => wallet === null || holders[wallets.indexOf(wallet)] !== null);
}

import type { agentSessionOperations } from '../../../contract/agents/sessions.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { findKeyHolders } from '../accounts/public.ts';
import { findAgentName, findWalletHolder, listSessions, type SessionRow } from './session-queries.ts';
import { oneSession, sessionView } from './session-view.ts';

type Operation = typeof agentSessionOperations.getAgentSession;

/** Returns the signed-in agent, the session of the request, and all sessions that have not ended. */
export async function getAgentSession(ctx: Context<AgentCaller>): Promise<Output<Operation>> {
  const { agentId, scope, sessionId } = ctx.caller;
  const [name, stored] = await Promise.all([
    findAgentName(ctx.db, agentId),
    listSessions(ctx.db, agentId, ctx.clock.now()),
  ]);
  const sessions = await runningOf(ctx, stored);
  const session = sessions.find(({ id }) => id === sessionId);
  // The session ended while this request was in progress.
  if (sessionId !== undefined && !session) throw new DomainError('UNAUTHORIZED', 'Authentication required');
  return {
    ...sessionView({ agentId, name, scope }, session ?? null, sessionId),
    sessions: sessions.map((each) => oneSession(each, sessionId)),
  };
}

/** Returns the sessions whose key or wallet has not ended. */
async function runningOf({ db, clock }: Context, sessions: SessionRow[]): Promise<SessionRow[]> {
  const keyIds = sessions.flatMap(({ keyId }) => (keyId === null ? [] : [keyId]));
  const wallets = new Map(
    sessions.flatMap(({ agentId, wallet }) => (wallet === null ? [] : [[wallet, agentId] as const])),
  );
  const [keys, holders] = await Promise.all([
    findKeyHolders(db, keyIds),
    Promise.all([...wallets].map(([wallet, agentId]) => findWalletHolder(db, { agentId, wallet }))),
  ]);
  const proven = new Set([...wallets.keys()].filter((_, index) => holders[index] !== null));
  const now = clock.now();
  return sessions.filter(({ keyId, wallet }) => {
    if (keyId === null) return wallet !== null && proven.has(wallet);
    const key = keys.get(keyId);
    return key !== undefined && (key.expiresAt === null || key.expiresAt > now);
  });
}

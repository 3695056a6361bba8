import type { Deps } from '../../deps.ts';
import { createSessionCache } from '../../keys/public.ts';
import type { AgentCaller } from '../../callers.ts';
import type { KnownKeys } from '../../keys/types.ts';
import { callerAt } from '../accounts/status.ts';
import { recordActivity } from '../accounts/queries.ts';
import { findKeyHolder } from '../accounts/key-queries.ts';
import { findWalletHolder } from './session-queries.ts';

export type AgentSessionAuthenticator = KnownKeys & {
  /**
   * Returns the agent of a session token. Returns null if the token is malformed, unknown, wrong, expired, or of another
   * network, and if the key or the wallet that started the session has ended.
   */
  authenticate(token: string): Promise<AgentCaller | null>;
};

/** Creates the authenticator; a process needs one. A database failure is thrown. */
export function createAgentSessionAuthenticator(
  deps: Pick<Deps, 'db' | 'clock' | 'network'>,
): AgentSessionAuthenticator {
  const { db, clock } = deps;
  const onUse = (caller: AgentCaller, now: Date) => recordActivity(db, caller, now);
  const cache = createSessionCache(deps, { kind: 'agent', onUse }, async ({ accountId: agentId, keyId, wallet }) => {
    if (keyId !== null) return (await findKeyHolder(db, keyId))?.caller ?? null;
    return wallet === null ? null : await findWalletHolder(db, { agentId, wallet });
  });
  return {
    async authenticate(token) {
      const caller = await cache.find(token);
      return caller && callerAt(caller, clock.now());
    },
    forget: (id) => cache.forget(id),
  };
}

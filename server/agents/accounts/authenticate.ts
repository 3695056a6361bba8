import type { Deps } from '../../deps.ts';
import { createKeyCache, keyPrefix } from '../../keys/public.ts';
import { recordActivity } from './queries.ts';
import { findKeyHolder } from './key-queries.ts';
import { callerAt } from './status.ts';
import type { AgentCaller } from '../../callers.ts';
import type { KnownKeys } from '../../keys/types.ts';

export type AgentAuthenticator = KnownKeys & {
  /**
   * Returns the agent of a key, or null for a key that is malformed, of another network, unknown, wrong, or revoked.
   */
  authenticate(text: string): Promise<AgentCaller | null>;
};

/** Creates the authenticator of a process. It rejects when the database fails. */
export function createAgentAuthenticator({
  db,
  clock,
  network,
}: Pick<Deps, 'db' | 'clock' | 'network'>): AgentAuthenticator {
  const prefix = keyPrefix('agent', network.testnet);
  const onUse = (caller: AgentCaller, now: Date) => recordActivity(db, caller, now);
  const cache = createKeyCache({ clock, prefix, onUse }, (keyId) => findKeyHolder(db, keyId));
  return {
    async authenticate(text) {
      const caller = await cache.find(text);
      return caller && callerAt(caller, clock.now());
    },
    forget: (keyId) => cache.forget(keyId),
  };
}

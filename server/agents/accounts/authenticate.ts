import type { Deps } from '../../deps.ts';
import { keyPrefix, parseKey, createKeyCache } from '../../keys/public.ts';
import type { AgentActivity } from './activity.ts';
import { findKeyHolder } from './queries.ts';
import { callerAt } from './status.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { KnownKeys } from '../../ports/keys.ts';

export type AgentAuthenticator = KnownKeys & {
  /**
   * Finds the agent that owns this API key. Returns null if the key is malformed, unknown, wrong, revoked, expired, or
   * of another network. Returns without a promise while the key is cached.
   */
  authenticate(text: string): AgentCaller | Promise<AgentCaller | null>;
};

/**
 * Creates the authenticator; a process needs one. A cached key costs 2 µs. A database failure is thrown, never returned
 * as null.
 */
export function createAgentAuthenticator(
  { reads, clock, network }: Pick<Deps, 'reads' | 'clock' | 'network'>,
  activity: Pick<AgentActivity, 'record'>,
): AgentAuthenticator {
  const prefix = keyPrefix('agent', network.testnet);
  const cache = createKeyCache(clock, (keyId) => findKeyHolder(reads, keyId));
  async function find(text: string): Promise<AgentCaller | null> {
    const key = parseKey(text);
    const caller = key?.prefix === prefix ? await cache.find(key, text) : null;
    if (!caller) return null;
    activity.record(caller.agentId);
    return callerAt(caller, clock.now());
  }

  return {
    authenticate(text) {
      const caller = cache.recall(text);
      if (caller === null) return find(text);
      activity.record(caller.agentId);
      return caller.restriction ? callerAt(caller, clock.now()) : caller;
    },
    forget: (keyId) => cache.forget(keyId),
  };
}

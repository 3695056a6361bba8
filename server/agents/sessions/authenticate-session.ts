import type { Deps } from '../../deps.ts';
import { createKeyCache, keyPrefix, sessionEnd, shouldExtend, type StoredKey } from '../../keys/public.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { KnownKeys } from '../../ports/keys.ts';
import { callerAt, type createActivity, findKeyHolders } from '../accounts/public.ts';
import { extendSession, findSession, findWalletHolder, type SessionRow } from './session-queries.ts';

export type AgentSessionAuthenticator = KnownKeys & {
  /**
   * Returns the agent of a session token. Returns null if the token is malformed, unknown, wrong, expired, or of another
   * network, and if the key or the wallet that started the session has ended.
   */
  authenticate(token: string): Promise<AgentCaller | null>;
};

/** Creates the authenticator; a process needs one. Tokens are cached as keys are. A database failure is thrown. */
export function createAgentSessionAuthenticator(
  { db, clock, network }: Pick<Deps, 'db' | 'clock' | 'network'>,
  activity: Pick<ReturnType<typeof createActivity>, 'record'>,
): AgentSessionAuthenticator {
  const prefix = keyPrefix('agentSession', network.testnet);

  /** Returns the caller of the session, and when the key that started it ends. */
  async function holderOf({
    agentId,
    keyId,
    wallet,
  }: SessionRow): Promise<Omit<StoredKey<AgentCaller>, 'secretHash'> | null> {
    if (keyId !== null) return (await findKeyHolders(db, [keyId])).get(keyId) ?? null;
    const caller = wallet === null ? null : await findWalletHolder(db, { agentId, wallet });
    return caller && { caller, expiresAt: null };
  }

  async function read(id: string): Promise<StoredKey<AgentCaller> | null> {
    const session = await findSession(db, id);
    const holder = session && (await holderOf(session));
    if (!holder) return null;
    const now = clock.now();
    const expiresAt = earlier(session.expiresAt, holder.expiresAt);
    const next = sessionEnd({ createdAt: session.createdAt, now });
    // Extending before the secret is compared is safe: the id is random too, and only the client knows it.
    if (expiresAt > now && shouldExtend(session.expiresAt, next)) {
      await extendSession(db, { id, now, expiresAt: next });
      return {
        secretHash: session.secretHash,
        expiresAt: earlier(next, holder.expiresAt),
        caller: asSession(holder, id),
      };
    }
    return { secretHash: session.secretHash, expiresAt, caller: asSession(holder, id) };
  }

  const cache = createKeyCache<AgentCaller>({ clock, prefix }, read);
  return {
    async authenticate(token) {
      const caller = await cache.find(token);
      if (!caller) return null;
      activity.record(caller);
      return callerAt(caller, clock.now());
    },
    forget: (id) => cache.forget(id),
  };
}

function asSession({ caller }: { caller: AgentCaller }, sessionId: string): AgentCaller {
  return { ...caller, sessionId };
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}

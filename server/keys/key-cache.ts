import { type KeyPrefix, parseKey, sameHash } from './format.ts';
import { createKept } from '../kept.ts';
import type { Clock } from '../clock.ts';

/** A stored key that works, or a session, and its owner. Only a session has an end. */
export type StoredKey<C> = { secretHash: string; expiresAt?: Date; caller: C };

/** Hears of the first use of a key after each query. */
export type OnUse<C> = (caller: C, now: Date) => void;

export type KeyCache<C> = {
  /**
   * Returns the owner of a key, and the end of a session; null for a key that is malformed, unknown, wrong, or expired, or
   * has another prefix. Rejects when the database fails.
   */
  find(text: string): Promise<C | null>;
  /** Drops a key that ended; the next request reads it again. */
  forget(keyId: string): void;
};

/**
 * Caches keys by id for 900 ms, unknown keys too. An agent that sends 100 requests a second costs one query a second, and
 * so does an attacker that guesses a secret. Concurrent requests with one key share a query. So a key that another process
 * revoked is refused within 1 s: the rest is for a request in progress.
 */
export function createKeyCache<C extends { endsAt?: Date }>(
  { clock, prefix, onUse }: { clock: Clock; prefix: KeyPrefix; onUse?: OnUse<C> | undefined },
  read: (keyId: string) => Promise<StoredKey<C> | null>,
): KeyCache<C> {
  const kept = createKept<(StoredKey<C> & { used?: true }) | null>({ lifeMs: 900, most: 20_000 });
  const cache: KeyCache<C> = {
    async find(text) {
      const key = parseKey(text);
      if (key?.prefix !== prefix) return null;
      const now = clock.now();
      const stored = await kept.get(cache, { key: key.id, now }, () => read(key.id));
      if (!stored || !sameHash(stored.secretHash, key.secretHash)) return null;
      const { expiresAt, caller } = stored;
      // Compared at each use, so that a session expires on time without another query.
      if (expiresAt && expiresAt <= now) return null;
      if (!stored.used) onUse?.(caller, now);
      stored.used = true;
      return expiresAt ? { ...caller, endsAt: expiresAt } : caller;
    },
    forget: (keyId) => kept.forget(cache, keyId),
  };
  return cache;
}

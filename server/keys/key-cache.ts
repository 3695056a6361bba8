import { type KeyPrefix, type ParsedKey, parseKey, sameHash } from './format.ts';
import type { Clock } from '../clock.ts';

/** A stored key and its owner. `expiresAt` is null for a key without an end. */
export type StoredKey<C> = { secretHash: string; expiresAt: Date | null; caller: C };

export type KeyCache<C> = {
  /**
   * Returns the owner of a key with its end, or null for a key that is malformed, unknown, wrong, expired, or has another
   * prefix. Rejects when the database fails.
   */
  find(text: string): Promise<C | null>;
  /** Drops a key after its end was changed; the next request reads it again. */
  forget(keyId: string): void;
};

type CachedKey<C> = { keyId: string; readAt: number; stored: Promise<StoredKey<C> | null>; text: string | null };

// A key that another process revoked is refused within 1 s: after 900 ms, plus the time of a request in progress.
const MAX_AGE_MS = 900;
const MAX_ENTRIES = 20_000;

/**
 * Caches keys by id for 900 ms, unknown keys too. An agent that sends 100 requests a second costs one query a second, and
 * so does an attacker that guesses a secret. Concurrent requests with one key share a query.
 */
export function createKeyCache<C extends { endsAt?: Date }>(
  { clock, prefix }: { clock: Clock; prefix: KeyPrefix },
  read: (keyId: string) => Promise<StoredKey<C> | null>,
  maxEntries = MAX_ENTRIES,
): KeyCache<C> {
  // All entries live equally long, so the map is sorted by age, and the first entry is the next to expire.
  const entries = new Map<string, CachedKey<C>>();
  // The texts of right keys, so that a repeated key is not checked and hashed again.
  const right = new Map<string, { entry: CachedKey<C>; stored: StoredKey<C> }>();

  function drop(entry: CachedKey<C> | undefined): void {
    if (!entry || entries.get(entry.keyId) !== entry) return;
    entries.delete(entry.keyId);
    if (entry.text !== null) right.delete(entry.text);
  }

  function start(keyId: string, now: number): CachedKey<C> {
    drop(entries.get(keyId));
    dropOld(now);
    // The age counts from the start of the query, because a slow database answers with old data.
    const entry: CachedKey<C> = { keyId, readAt: now, stored: read(keyId).then(withEnd), text: null };
    entries.set(keyId, entry);
    void entry.stored.catch(() => drop(entry));
    return entry;
  }

  function dropOld(now: number): void {
    for (const entry of entries.values()) {
      if (isFresh(entry, now) && entries.size < maxEntries) return;
      drop(entry);
    }
  }

  async function look(text: string, key: ParsedKey, now: number): Promise<C | null> {
    const known = entries.get(key.id);
    const entry = known && isFresh(known, now) ? known : start(key.id, now);
    const stored = await entry.stored;
    if (!stored || !sameHash(stored.secretHash, key.secretHash)) return null;
    // The entry may have been dropped while the query ran.
    if (entries.get(key.id) === entry) {
      entry.text = text;
      right.set(text, { entry, stored });
    }
    return callerOf(stored, now);
  }

  return {
    async find(text) {
      const now = clock.now().getTime();
      const known = right.get(text);
      if (known && isFresh(known.entry, now)) return callerOf(known.stored, now);
      const key = parseKey(text);
      return key?.prefix === prefix ? await look(text, key, now) : null;
    },
    forget(keyId) {
      drop(entries.get(keyId));
    },
  };
}

function withEnd<C extends { endsAt?: Date }>(stored: StoredKey<C> | null): StoredKey<C> | null {
  if (!stored?.expiresAt) return stored;
  return { ...stored, caller: { ...stored.caller, endsAt: stored.expiresAt } };
}

// Compared at each use, so that a key expires on time without another query.
function callerOf<C>({ expiresAt, caller }: StoredKey<C>, now: number): C | null {
  return expiresAt && expiresAt.getTime() <= now ? null : caller;
}

// A clock that was set back must not extend the life of a revoked key.
function isFresh(entry: { readAt: number }, now: number): boolean {
  const age = now - entry.readAt;
  return age >= 0 && age < MAX_AGE_MS;
}

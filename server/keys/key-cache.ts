import type { Clock } from '../context.ts';
import { type ParsedKey, sameHash } from './format.ts';

/** A key as it is stored, with whom it stands for. `expiresAt` is null while it has no end. */
export type StoredKey<C> = { secretHash: string; expiresAt: Date | null; caller: C };

export type KeyCache<C> = {
  /** Whom the key stands for, or null when it is unknown, wrong or over. A failure of the database is thrown on. */
  find(key: ParsedKey): Promise<C | null>;
  /** After a change of a key's end in this process: the next request reads it anew. */
  forget(keyId: string): void;
};

type Entry<C> = { readAt: number; stored: Promise<StoredKey<C> | null> };

// A key revoked in another process is refused within 1 s: 900 ms, and the rest for the answer under way.
const MAX_AGE_MS = 900;
const MAX_ENTRIES = 20_000;

/**
 * Keys by id as the database had them within the last 900 ms, the ones it does not have too: an agent that sends 100
 * requests a second costs one look-up a second, and so does one that guesses at a secret. Requests that ask for the
 * same key at once share one look-up.
 */
export function createKeyCache<C>(
  clock: Clock,
  read: (keyId: string) => Promise<StoredKey<C> | null>,
  maxEntries = MAX_ENTRIES,
): KeyCache<C> {
  // All entries live equally long, so the order of insertion is the order of age: the first is always the next to go.
  const entries = new Map<string, Entry<C>>();

  function start(keyId: string, now: number): Entry<C> {
    entries.delete(keyId);
    dropOld(now);
    // The age counts from the question, not from the answer: what a slow database answers is as old as that.
    const entry: Entry<C> = { readAt: now, stored: read(keyId) };
    entries.set(keyId, entry);
    void entry.stored.catch(() => {
      if (entries.get(keyId) === entry) entries.delete(keyId);
    });
    return entry;
  }

  function dropOld(now: number): void {
    for (const [keyId, entry] of entries) {
      if (isFresh(entry, now) && entries.size < maxEntries) return;
      entries.delete(keyId);
    }
  }

  return {
    async find(key) {
      const now = clock.now().getTime();
      const known = entries.get(key.id);
      const entry = known && isFresh(known, now) ? known : start(key.id, now);
      const stored = await entry.stored;
      if (!stored || !sameHash(stored.secretHash, key.secretHash)) return null;
      // The end is compared each time: a grace that runs out needs no look-up to be over.
      return stored.expiresAt && stored.expiresAt.getTime() <= now ? null : stored.caller;
    },
    forget(keyId) {
      entries.delete(keyId);
    },
  };
}

// A clock that was set back must not keep a revoked key alive.
function isFresh(entry: { readAt: number }, now: number): boolean {
  const age = now - entry.readAt;
  return age >= 0 && age < MAX_AGE_MS;
}

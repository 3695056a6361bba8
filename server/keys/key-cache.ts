import { type ParsedKey, sameHash } from './format.ts';
import type { Clock } from '../ports/clock.ts';

/** A key as it is stored, with whom it stands for. `expiresAt` is null while it has no end. */
export type StoredKey<C> = { secretHash: string; expiresAt: Date | null; caller: C };

export type KeyCache<C> = {
  /** Whom this text was found to stand for while that is still remembered; null says only that `find` has to look. */
  recall(text: string): C | null;
  /**
   * Whom the key stands for, or null when it is unknown, wrong or over. A failure of the database is thrown on.
   * With its `text`, a right key is recalled by it afterwards.
   */
  find(key: ParsedKey, text?: string): Promise<C | null>;
  /** After a change of a key's end in this process: the next request reads it anew. */
  forget(keyId: string): void;
};

type Entry<C> = { keyId: string; readAt: number; stored: Promise<StoredKey<C> | null>; text: string | null };

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
  // The right keys among them by their text, which leaves with its entry. Checksum, hash and comparison are a third of
  // what a request costs that is answered from memory; looking a text up tells nothing about how nearly right it was.
  const proven = new Map<string, { entry: Entry<C>; stored: StoredKey<C> }>();

  function drop(entry: Entry<C> | undefined): void {
    if (!entry || entries.get(entry.keyId) !== entry) return;
    entries.delete(entry.keyId);
    if (entry.text !== null) proven.delete(entry.text);
  }

  function start(keyId: string, now: number): Entry<C> {
    drop(entries.get(keyId));
    dropOld(now);
    // The age counts from the question, not from the answer: what a slow database answers is as old as that.
    const entry: Entry<C> = { keyId, readAt: now, stored: read(keyId), text: null };
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

  return {
    recall(text) {
      const known = proven.get(text);
      if (!known) return null;
      const now = clock.now().getTime();
      return isFresh(known.entry, now) ? callerOf(known.stored, now) : null;
    },
    async find(key, text) {
      const now = clock.now().getTime();
      const known = entries.get(key.id);
      const entry = known && isFresh(known, now) ? known : start(key.id, now);
      const stored = await entry.stored;
      if (!stored || !sameHash(stored.secretHash, key.secretHash)) return null;
      // Not for an entry that was dropped while it was read.
      if (text !== undefined && entries.get(key.id) === entry) {
        entry.text = text;
        proven.set(text, { entry, stored });
      }
      return callerOf(stored, now);
    },
    forget(keyId) {
      drop(entries.get(keyId));
    },
  };
}

// The end is compared each time: a grace that runs out needs no look-up to be over.
function callerOf<C>({ expiresAt, caller }: StoredKey<C>, now: number): C | null {
  return expiresAt && expiresAt.getTime() <= now ? null : caller;
}

// A clock that was set back must not keep a revoked key alive.
function isFresh(entry: { readAt: number }, now: number): boolean {
  const age = now - entry.readAt;
  return age >= 0 && age < MAX_AGE_MS;
}

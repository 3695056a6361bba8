/** The keys that this process keeps in memory for authentication. */
export type KnownKeys = {
  /** Drops a key whose end has changed; the next request reads it from the database. */
  forget(keyId: string): void;
};

/** The keys and sessions that this process keeps in memory for authentication. */
export type KnownKeys = {
  /** Drops a key or a session whose end has changed; the next request reads it from the database. */
  forget(keyId: string): void;
};

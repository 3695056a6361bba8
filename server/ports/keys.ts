/** The keys that this process keeps in memory for authentication. */
export type KnownKeys = {
  /** After a key's end was moved: the next request with it reads the database. */
  forget(keyId: string): void;
};

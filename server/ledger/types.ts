/**
 * The comparison of the database with the chain. A process makes it when it starts, and again after its database has become
 * another server: a restored or promoted server can be older than the chain. Until then, the process takes no money, pays
 * nothing out, and ends no project.
 */
export type ChainComparison = {
  /** Resolves to whether it was made since the process started. Waits a moment for one that is under way. */
  made(): Promise<boolean>;
  /** Makes it, unless it was made on the server that the database is now. False: the chain did not answer. */
  make(): Promise<boolean>;
  /** Whether it was made on this server: the value of `serverName` in ledger/. */
  isOf(server: string): boolean;
};

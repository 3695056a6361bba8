/** What this process counted since it started. */
export type OwnFigures = {
  since: Date;
  answers(): { operation: string; status: number; count: number }[];
  /** Attempts at webhooks, by `delivered` or how they failed; null where it sends none. */
  attempts(): ReadonlyMap<string, number> | null;
};

/** The counters of this process since its start. */
export type ProcessMetrics = {
  since: Date;
  answers(): Promise<{ operation: string; status: number; count: number }[]>;
  /** Webhook attempts by outcome: `delivered`, or how they failed. `null` in a process that sends no webhooks. */
  attempts(): ReadonlyMap<string, number> | null;
};

/** The pictures of this process that are checked before a payment. */
export type Preflights = {
  /** `waitMs`: how long a request waits for its turn. */
  times: { waitMs: number };
  /** Runs `work` in its agent's turn. @throws InspectorBusy without a turn in time */
  run<T>(agentId: string, work: () => Promise<T>): Promise<T>;
  /** Refuses those that wait. */
  stop(): void;
};

const INTERVAL_MS = 50;

export type EventLoopLoad = {
  /** Returns the share of time that the event loop was busy, 0 to 1, over the last interval. */
  utilization(): number;
  /** Starts a new interval. Returns false when the current one is younger than 50 ms. */
  measure(): boolean;
};

/** Measures how busy this process is, whether or not it gets a processor. */
export function createEventLoopLoad(): EventLoopLoad {
  let measuredAt = performance.now();
  let start = performance.eventLoopUtilization();
  let utilization = 0;

  function measure(): boolean {
    const now = performance.now();
    if (now - measuredAt < INTERVAL_MS) return false;
    const end = performance.eventLoopUtilization();
    ({ utilization } = performance.eventLoopUtilization(end, start));
    measuredAt = now;
    start = end;
    return true;
  }

  return {
    measure,
    utilization() {
      measure();
      return utilization;
    },
  };
}

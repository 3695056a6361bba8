const MEASURED_MS = 50;

export type EventLoopLoad = {
  /** As it was measured last, 0 to 1. */
  utilization(): number;
  /** Measures it again; false where that was done within the last 50 ms. */
  measure(): boolean;
};

/** How much of its time this process is at work, or would be if it were given a processor. */
export function createEventLoopLoad(): EventLoopLoad {
  let at = performance.now();
  let since = performance.eventLoopUtilization();
  let utilization = 0;

  function measure(): boolean {
    const now = performance.now();
    if (now - at < MEASURED_MS) return false;
    const until = performance.eventLoopUtilization();
    ({ utilization } = performance.eventLoopUtilization(until, since));
    at = now;
    since = until;
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

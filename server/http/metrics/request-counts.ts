import { Counter, Histogram, Registry } from 'prom-client';

const BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Counts the requests of this process by operation, status, and duration. */
export type RequestCounts = {
  add(operation: string, status: number, ms: number): void;
  /** Returns the counters in the text format of Prometheus. */
  text(): Promise<string>;
};

export function createRequestCounts(): RequestCounts {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'concours_requests_total',
    help: 'Answered requests, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'concours_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['operation'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  return {
    add(operation, status, ms) {
      requests.inc({ operation, status });
      durations.observe({ operation }, ms / 1000);
    },
    text: () => registry.metrics(),
  };
}

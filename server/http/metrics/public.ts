// Prometheus metrics: the public interface of http/metrics/.

export type { DownloadOutcome } from './download-counts.ts';
export { createProbes, createReadiness, type Probes } from './health.ts';
export { METRICS_TYPE, createMetrics, type Metrics } from './metrics.ts';
export { createRequestCounts, type RequestCounts } from './request-counts.ts';
export type { ReadSenderMetrics } from './webhook-metrics.ts';

// What http/metrics/ offers to other folders; everything else in it is private.

export { METRICS_TYPE, createMetrics, type Metrics } from './metrics.ts';
export { createRequestCounts, type RequestCounts } from './request-counts.ts';
export type { SenderFigures } from './webhook-metrics.ts';

import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { createLimitMetrics, type StoreMetrics } from '../limits/public.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import { createDownloadCounts, type DownloadOutcome } from './download-counts.ts';
import { createFacilitatorMetrics } from './facilitator-metrics.ts';
import type { RequestCounts } from './request-counts.ts';
import { createWebhookMetrics, type SenderMetrics } from './webhook-metrics.ts';

export type Metrics = {
  /** Counts one answered request. */
  request(operation: string, status: number, ms: number): void;
  /** Counts one download of originals. */
  download(outcome: DownloadOutcome): void;
  /** Returns all metrics in the text format of Prometheus, read now. No label holds an id. */
  text(): Promise<string>;
};

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export function createMetrics(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'facilitator'>,
  requests: RequestCounts,
  sender?: SenderMetrics,
  limitStore?: () => StoreMetrics,
): Metrics {
  const { registry, read } = createDatabaseMetrics(deps);
  const webhooks = createWebhookMetrics(registry, deps, sender);
  const facilitator = createFacilitatorMetrics(registry, deps.facilitator);
  if (limitStore) createLimitMetrics(registry, limitStore);
  return {
    request: (operation, status, ms) => requests.add(operation, status, ms),
    download: createDownloadCounts(registry),
    async text() {
      await Promise.all([read(), webhooks.read(), facilitator.read()]);
      const texts = await Promise.all([nodeMetrics().metrics(), registry.metrics(), requests.text()]);
      return texts.join('\n');
    },
  };
}

let nodeRegistry: Registry | null = null;

/** Returns Node's own metrics. One registry per process, because it observes garbage collection and the event loop. */
function nodeMetrics(): Registry {
  if (nodeRegistry === null) {
    nodeRegistry = new Registry();
    collectDefaultMetrics({ register: nodeRegistry });
  }
  return nodeRegistry;
}

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { createLimitMetrics } from '../limits/metrics.ts';
import type { StoreMetrics } from '../limits/limits.ts';
import { VERSION } from '../../version.ts';
import type { Probes } from './health.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import { createDependencyMetrics } from './dependency-metrics.ts';
import { createDownloadCounts, type DownloadOutcome } from './download-counts.ts';
import { createFacilitatorMetrics } from './facilitator-metrics.ts';
import type { RequestCounts } from './request-counts.ts';
import { createWebhookMetrics, type ReadSenderMetrics } from './webhook-metrics.ts';

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
  probes: () => Promise<Probes>,
  sender?: ReadSenderMetrics,
  limitStore?: () => StoreMetrics,
): Metrics {
  const { registry, read } = createDatabaseMetrics(deps);
  const webhooks = createWebhookMetrics(registry, deps, sender);
  const facilitator = createFacilitatorMetrics(registry, deps.facilitator);
  if (limitStore) createLimitMetrics(registry, limitStore);
  const dependencies = createDependencyMetrics(registry, probes);
  const build = new Gauge({
    name: 'concours_build_info',
    help: 'Always 1; the label has the version of the code.',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version: VERSION }, 1);
  return {
    request: (operation, status, ms) => requests.add(operation, status, ms),
    download: createDownloadCounts(registry),
    async text() {
      await Promise.all([read(), webhooks.read(), dependencies.read(), facilitator.read()]);
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

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import type { StoreMetrics } from '../limits/limits.ts';
import { VERSION } from '../../version.ts';
import type { Probes } from './health.ts';
import { registerSource } from './readings.ts';
import {
  databaseSource,
  facilitatorSource,
  limitStoreSource,
  type ReadSenderMetrics,
  senderSource,
} from './sources.ts';

/** `unavailable`: an original is missing or changed. `broken_off`: the client left, or the store failed. */
export type DownloadOutcome = 'sent' | 'unavailable' | 'broken_off';

export type Metrics = {
  /** Counts one answered request. */
  request(operation: string, status: number, ms: number): void;
  /** Counts one download of originals. */
  download(outcome: DownloadOutcome): void;
  /** Returns all metrics in the text format of Prometheus, read now. No label holds an id. */
  text(): Promise<string>;
};

type Parts = {
  probes: () => Promise<Probes>;
  sender?: ReadSenderMetrics | undefined;
  limitStore?: (() => StoreMetrics) | undefined;
};

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export function createMetrics(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'facilitator'>,
  { probes, sender, limitStore }: Parts,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const { gasOfKeys } = deps.facilitator;
  const readers = [
    databaseSource(deps),
    ...(gasOfKeys ? [facilitatorSource(gasOfKeys)] : []),
    ...(sender ? [senderSource(sender)] : []),
    ...(limitStore ? [limitStoreSource(limitStore)] : []),
  ].map((source) => registerSource(registry, source));
  readers.push(dependencyReader(registry, probes));
  new Gauge({
    name: 'concours_build_info',
    help: 'Always 1; the label has the version of the code.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
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
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  });
  const downloads = new Counter({
    name: 'concours_original_downloads_total',
    help: 'Downloads of original files, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  // So that an alarm on growth sees the first one.
  for (const outcome of ['sent', 'unavailable', 'broken_off']) downloads.inc({ outcome }, 0);
  return {
    request(operation, status, ms) {
      requests.inc({ operation, status });
      durations.observe({ operation }, ms / 1000);
    },
    download: (outcome) => downloads.inc({ outcome }),
    async text() {
      await Promise.all(readers.map((read) => read()));
      return `${await nodeMetrics().metrics()}\n${await registry.metrics()}`;
    },
  };
}

/** Registers the metrics of the parts that the service needs. Each reading of the metrics is one probe of each part. */
function dependencyReader(registry: Registry, probes: () => Promise<Probes>): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: 'concours_dependency_up',
    help: '1 when the part answered within 3 s: database, replicas, storage, chain, facilitator, signer (with TREASURY_SIGNER_URL), and limit_store (Redis).',
    labelNames: ['part'],
    registers,
  });
  const seconds = new Histogram({
    name: 'concours_dependency_probe_seconds',
    help: 'How long a part took to answer a probe. Each reading of the metrics is one probe.',
    labelNames: ['part'],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 3],
    registers,
  });
  return async () => {
    for (const [part, probe] of Object.entries(await probes())) {
      up.set({ part }, probe.up ? 1 : 0);
      seconds.observe({ part }, probe.seconds);
    }
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

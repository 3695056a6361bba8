import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Probes } from './health.ts';

/** Creates the metrics of the parts that the service needs. `read` asks each part once. */
export function createDependencyMetrics(registry: Registry, probes: () => Promise<Probes>): { read(): Promise<void> } {
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
  return {
    async read() {
      for (const [part, probe] of Object.entries(await probes())) {
        up.set({ part }, probe.up ? 1 : 0);
        seconds.observe({ part }, probe.seconds);
      }
    },
  };
}

import { Counter, Gauge, type Registry } from 'prom-client';
import type { StoreMetrics } from './limits.ts';

/** Registers the metrics of the Redis in which several processes count requests together. */
export function createLimitMetrics(registry: Registry, store: () => StoreMetrics): void {
  const registers = [registry];
  // A metric registers itself when it is created, and is read when Prometheus asks.
  void new Gauge({
    name: 'concours_limit_store_up',
    help: '0 while Redis does not answer: paid operations and registrations are refused, and each process counts the rest alone.',
    registers,
    collect() {
      this.set(store().up ? 1 : 0);
    },
  });
  void new Counter({
    name: 'concours_limit_store_losses_total',
    help: 'Times that this process lost Redis since its start.',
    registers,
    collect() {
      this.reset();
      this.inc(store().losses);
    },
  });
}

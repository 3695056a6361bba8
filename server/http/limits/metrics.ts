import { Counter, Gauge, type Registry } from 'prom-client';
import type { StoreFigures } from './limits.ts';

/** Of the store in which several processes count requests together. */
export function createLimitFigures(registry: Registry, store: () => StoreFigures): void {
  const registers = [registry];
  // Registered by being made, and read when somebody asks.
  void new Gauge({
    name: 'concours_limit_store_up',
    help: '0 while Redis does not answer: paid operations and registrations are refused, each process counts the rest for itself.',
    registers,
    collect() {
      this.set(store().up ? 1 : 0);
    },
  });
  void new Counter({
    name: 'concours_limit_store_losses_total',
    help: 'How often this process lost Redis since its start.',
    registers,
    collect() {
      this.reset();
      this.inc(store().losses);
    },
  });
}

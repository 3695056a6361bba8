import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OperationSpec } from '../../contract/operation.ts';
import { unavailable } from './errors.ts';

const SAMPLE_MS = 500;
const NANOSECONDS = 1e6;
// A delay of half a second makes every answer late; money is the last to be turned away.
const SHED_READS_ABOVE_MS = 500;
const SHED_PAYMENTS_ABOVE_MS = 2_000;

export type Shedder = { admit(spec: OperationSpec): void; stop(): void };

/** Turns requests away with 503 while the event loop is behind: reads first, payments last. */
export function createShedder(): Shedder {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let behindMs = 0;
  const timer = setInterval(() => {
    behindMs = delay.percentile(50) / NANOSECONDS;
    delay.reset();
  }, SAMPLE_MS);
  timer.unref();
  return {
    admit(spec) {
      const allowedMs = spec.paid || spec.id === 'confirmUpload' ? SHED_PAYMENTS_ABOVE_MS : SHED_READS_ABOVE_MS;
      if (behindMs > allowedMs) throw unavailable('The service is overloaded. Try again shortly.');
    },
    stop() {
      clearInterval(timer);
      delay.disable();
    },
  };
}

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OperationSpec } from '../../contract/operation.ts';
import { unavailable } from './errors.ts';

const SAMPLE_MS = 500;
const NANOSECONDS = 1e6;
// A delay of half a second makes every answer late; money is the last to be turned away.
const SHED_READS_ABOVE_MS = 500;
const SHED_PAYMENTS_ABOVE_MS = 2_000;

export type Shedder = { admit(spec: OperationSpec): void; stop(): void };

/** How late the event loop was, at the median, since it was asked last. */
export type DelayMeter = { takeMs(): number; stop(): void };

/** Turns requests away with 503 while the event loop is behind: reads first, payments last. */
export function createShedder(meter: DelayMeter = eventLoopDelay(), sampleMs = SAMPLE_MS): Shedder {
  let behindMs = 0;
  const timer = setInterval(() => {
    behindMs = meter.takeMs();
  }, sampleMs);
  timer.unref();
  return {
    admit(spec) {
      if (behindMs <= SHED_READS_ABOVE_MS) return;
      if (behindMs <= SHED_PAYMENTS_ABOVE_MS && (spec.paid || spec.id === 'confirmUpload')) return;
      throw unavailable('The service is overloaded. Try again shortly.');
    },
    stop() {
      clearInterval(timer);
      meter.stop();
    },
  };
}

function eventLoopDelay(): DelayMeter {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return {
    takeMs() {
      const medianMs = delay.percentile(50) / NANOSECONDS;
      delay.reset();
      return medianMs;
    },
    stop: () => delay.disable(),
  };
}

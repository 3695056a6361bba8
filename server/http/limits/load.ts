import type { OperationSpec } from '../../../contract/operation.ts';

const SAMPLE_MS = 100;
// A delay of half a second makes every answer late; money is the last to be turned away.
const SHED_READS_ABOVE_MS = 500;
const SHED_PAYMENTS_ABOVE_MS = 2_000;

export type Shedder = { sheds(spec: OperationSpec): boolean; stop(): void };

/**
 * Which requests to turn away while the event loop is behind: reads first, payments last. Measured by how late a timer
 * is; `monitorEventLoopDelay` counts nothing between two resets while every turn of the loop is longer than its period.
 */
export function createShedder(nowMs: () => number = () => performance.now()): Shedder {
  let dueMs = nowMs() + SAMPLE_MS;
  let lastMs = 0;
  let behindMs = 0;
  const timer = setInterval(() => {
    const atMs = nowMs();
    // Late twice in a row: one pause is over by the time that it is noticed.
    behindMs = Math.min(lastMs, atMs - dueMs);
    lastMs = atMs - dueMs;
    dueMs = atMs + SAMPLE_MS;
  }, SAMPLE_MS);
  timer.unref();
  return {
    sheds(spec) {
      const isMoney = spec.paid === true || spec.id === 'confirmUpload';
      return behindMs > (isMoney ? SHED_PAYMENTS_ABOVE_MS : SHED_READS_ABOVE_MS);
    },
    stop: () => clearInterval(timer),
  };
}

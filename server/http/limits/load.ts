import type { OperationSpec } from '../../../contract/basics/operation.ts';

const SAMPLE_MS = 100;
// After a delay of half a second every answer is late. Payments are refused last.
const SHED_READS_ABOVE_MS = 500;
const SHED_PAYMENTS_ABOVE_MS = 2_000;

export type Shedder = { sheds(spec: OperationSpec): boolean; stop(): void };

/**
 * Decides which requests to refuse while the event loop is late: reads first, payments last. The delay of a timer is the
 * measure, because `monitorEventLoopDelay` records nothing while every turn of the loop is longer than its period.
 */
export function createShedder(nowMs: () => number = () => performance.now()): Shedder {
  let dueMs = nowMs() + SAMPLE_MS;
  let lastMs = 0;
  let behindMs = 0;
  const timer = setInterval(() => {
    const atMs = nowMs();
    // The smaller of two delays in a row: a single pause is over before it is noticed.
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

import type { OperationSpec } from '../../../contract/basics/operation.ts';

const SAMPLE_MS = 100;
// After a delay of half a second every answer is late. Payments are refused last.
const SHED_READS_ABOVE_MS = 500;
const SHED_PAYMENTS_ABOVE_MS = 2_000;

export type Shedder = { sheds(spec: OperationSpec): boolean; stop(): void };

type ShedderOptions = {
  nowMs?: () => number;
  /** How long requests wait for a connection to the database at the moment. */
  connectionWaitMs?: () => number;
};

/**
 * Decides which requests to refuse while the event loop is late, or while requests wait for a connection to the database:
 * reads first, payments last. The delay of a timer is the measure of the event loop, because `monitorEventLoopDelay`
 * records nothing while every turn of the loop is longer than its period.
 */
export function createShedder({
  nowMs = () => performance.now(),
  connectionWaitMs = () => 0,
}: ShedderOptions = {}): Shedder {
  let dueMs = nowMs() + SAMPLE_MS;
  let lastMs = 0;
  let behindMs = 0;
  let waitMs = 0;
  const timer = setInterval(() => {
    const atMs = nowMs();
    // The smaller of two delays in a row: a single pause is over before it is noticed.
    behindMs = Math.min(lastMs, atMs - dueMs);
    lastMs = atMs - dueMs;
    dueMs = atMs + SAMPLE_MS;
    waitMs = connectionWaitMs();
  }, SAMPLE_MS);
  timer.unref();
  return {
    sheds(spec) {
      const isMoney = spec.paid === true || spec.id === 'confirmUpload';
      return Math.max(behindMs, waitMs) > (isMoney ? SHED_PAYMENTS_ABOVE_MS : SHED_READS_ABOVE_MS);
    },
    stop: () => clearInterval(timer),
  };
}

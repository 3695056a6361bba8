import type { ChaosReport } from './chaos.ts';
import type { PartName } from './cluster.ts';

/**
 * Clients may get 503 for `outageMs` after a kill, and may wait for an answer for `answerMs`. `waitedMs` is for requests that
 * wait on purpose: a payment for its outcome (15 s), a confirmation for the inspection (10 s). A busy machine makes the service
 * refuse reads; `mayShed` does not count those as failed.
 */
export type Bounds = { outageMs: number; answerMs: number; waitedMs: number; mayShed?: true };

const BOUNDS: Bounds = { outageMs: 10_000, answerMs: 6_000, waitedMs: 17_000 };
/** Reads need neither the storage nor the chain, so they must not notice. */
const UNNOTICED_BY_READS = new Set<PartName>(['s3', 'node']);
const EXAMPLES = 5;

/** Returns a sentence for each promise of the service that the run broke. */
export function judge({ figures, faults, refused, books }: ChaosReport, bounds = BOUNDS): string[] {
  const slow = figures.flatMap(({ part, longestOutageMs, slowestMs, longestWaitMs, failedReads, shedReads }) => [
    ...(longestOutageMs > bounds.outageMs ? [`${part}: an outage of ${longestOutageMs} ms`] : []),
    ...(slowestMs > bounds.answerMs ? [`${part}: an answer after ${slowestMs} ms`] : []),
    ...(longestWaitMs > bounds.waitedMs
      ? [`${part}: a payment or confirmation answered after ${longestWaitMs} ms`]
      : []),
    ...(failedReads > (bounds.mayShed ? shedReads : 0) && UNNOTICED_BY_READS.has(part)
      ? [`${part}: ${failedReads} failed reads`]
      : []),
  ]);
  const found = {
    'answers that clients cannot work with': faults,
    'unexpected refusals': refused,
    'lost acknowledged steps': books.lost,
    'payers charged wrongly': books.overcharged,
    'payouts that did not move once': books.wrongPayouts,
    'problems of the books': books.problems,
  };
  const wrong = Object.entries(found).flatMap(([name, all]) =>
    all.length === 0 ? [] : [`${all.length} ${name}, such as: ${all.slice(0, EXAMPLES).join('; ')}`],
  );
  return [...slow, ...wrong];
}

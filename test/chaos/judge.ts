import type { ChaosReport } from './chaos.ts';
import type { PartName } from './cluster.ts';

/**
 * Clients may get 503 for `outageMs` after a kill, and may wait for an answer for `answerMs`. `paymentMs` is for
 * requests that carry a payment: those wait up to 15 s for its outcome (docs/decisions.md, 3).
 */
const BOUNDS = { outageMs: 10_000, answerMs: 6_000, paymentMs: 17_000 };
/** Reads need neither the storage nor the chain, so they must not notice. */
const UNNOTICED_BY_READS = new Set<PartName>(['s3', 'node']);
const EXAMPLES = 5;

/** Returns a sentence for each bound of time that the run passed. A busy machine passes some. */
export function judgeTimes({ figures }: Pick<ChaosReport, 'figures'>): string[] {
  return figures.flatMap((own) => {
    const { part, longestRefusalMs, slowestMs, slowest, longestPaymentMs, longestPayment } = own;
    return [
      ...(longestRefusalMs > BOUNDS.outageMs ? [`${part}: refusals for ${longestRefusalMs} ms`] : []),
      ...(slowestMs > BOUNDS.answerMs ? [`${part}: ${slowest} answered after ${slowestMs} ms`] : []),
      ...(longestPaymentMs > BOUNDS.paymentMs
        ? [`${part}: ${longestPayment} answered after ${longestPaymentMs} ms`]
        : []),
    ];
  });
}

type Judged = Pick<ChaosReport, 'faults' | 'refused' | 'books' | 'figures'>;

/** Returns a sentence for each promise about money and data that the run broke. A busy machine may refuse reads at any time. */
export function judge({ faults, refused, books, figures }: Judged): string[] {
  const noticed = figures.filter(
    ({ part, failedReads, shedReads }) => UNNOTICED_BY_READS.has(part) && failedReads > shedReads,
  );
  const found = {
    'parts whose loss reads noticed': noticed.map(({ part }) => part),
    'answers that clients cannot work with': faults,
    'unexpected refusals': refused,
    'lost acknowledged steps': books.lost,
    'payers charged wrongly': books.overcharged,
    'payouts that did not move once': books.wrongPayouts,
    'problems of the books': books.problems,
  };
  return Object.entries(found).flatMap(([name, all]) =>
    all.length === 0 ? [] : [`${all.length} ${name}, such as: ${all.slice(0, EXAMPLES).join('; ')}`],
  );
}

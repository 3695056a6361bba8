import type { ChaosReport } from './chaos.ts';
import type { PartName } from './cluster.ts';

/** Reads need neither the storage nor the chain, so they must not notice. */
const UNNOTICED_BY_READS = new Set<PartName>(['s3', 'node']);
const EXAMPLES = 5;

/** Returns a sentence for each promise about money and data that the run broke. A busy machine may refuse reads at any time. */
export function judge({ kills, faults, refused, books }: ChaosReport): string[] {
  const noticed = kills.filter(({ part, failedReads }) => UNNOTICED_BY_READS.has(part) && failedReads > 0);
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

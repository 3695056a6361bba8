export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The measurements by name. One of them is `service`. */
export type Measurements = Record<string, () => Promise<number>>;
/** One value per round. */
export type Values = Record<string, number[]>;

/** Runs all measurements in turn for each of `rounds` rounds, so that a slow machine affects them equally. */
export async function interleaved(rounds: number, measurements: Measurements): Promise<Values> {
  const entries = Object.entries(measurements);
  const values: Values = Object.fromEntries(entries.map(([name]) => [name, []]));
  // The first round warms up compilers and caches, and its values are dropped.
  for (const [, measure] of entries) await measure();
  for (let round = 0; round < rounds; round += 1) {
    // Every other round runs in reverse order, because the first measurement can find the machine colder.
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) values[name]?.push(await measure());
  }
  return values;
}

/** Returns the ratio of each round, so that a slow moment of the machine affects both of its numbers. */
export function ratios(of: readonly number[], to: readonly number[]): number[] {
  return of.map((value, index) => value / (to[index] ?? NaN));
}

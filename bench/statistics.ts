export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** By name, `service` among them. */
export type Measurements = Record<string, () => Promise<number>>;
/** One figure a round. */
export type Values = Record<string, number[]>;

/** `rounds` times each of the measurements, one after the other, so that what slows the machine slows them alike. */
export async function interleaved(rounds: number, measurements: Measurements): Promise<Values> {
  const entries = Object.entries(measurements);
  const values: Values = Object.fromEntries(entries.map(([name]) => [name, []]));
  // A first round for the compilers and caches of all of them; it is not kept.
  for (const [, measure] of entries) await measure();
  for (let round = 0; round < rounds; round += 1) {
    // Every other round the other way round: whoever comes first may find the machine colder.
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) values[name]?.push(await measure());
  }
  return values;
}

/** Round by round, so that a slow moment of the machine is in both numbers. */
export function ratios(of: readonly number[], to: readonly number[]): number[] {
  return of.map((value, index) => value / (to[index] ?? NaN));
}

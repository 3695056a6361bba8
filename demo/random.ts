/** Repeatable random numbers: the same seed gives the same picture on every machine. */
export type Random = {
  /** 0 ≤ value < 1 */
  next(): number;
  between(least: number, most: number): number;
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** A value with mean 0 and standard deviation 1. */
  gaussian(): number;
};

/** Creates a mulberry32 generator from an FNV-1a hash of the seed. */
export function seeded(seed: string): Random {
  let state = 2_166_136_261;
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619);
  const next = () => {
    state = Math.trunc(state + 0x6d2b79f5);
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + next() * (most - least);
  return {
    next,
    between,
    int: (least, most) => Math.floor(between(least, most + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    gaussian: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

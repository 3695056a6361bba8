const side = 32;
const frequencies = 8;

/** cos((2x + 1) u π / 64) for the frequencies 1–8. Frequency 0 is left out, because it is only the mean brightness. */
const cosines = Array.from({ length: frequencies }, (_, u) =>
  Float64Array.from({ length: side }, (_unused, x) => Math.cos(((2 * x + 1) * (u + 1) * Math.PI) / (2 * side))),
);

/**
 * Returns a 64-bit perceptual hash, signed as PostgreSQL's bigint. Each bit stands for one of the 8 × 8 lowest
 * frequencies and is set when that frequency is above their median. Re-encoded or resized copies differ in a few bits,
 * other pictures in about 32.
 */
export function perceptualHash(grey: Uint8Array, width: number, height: number): bigint {
  const cells = shrink(grey, width, height);
  const coefficients = transform(cells);
  const sorted = coefficients.toSorted();
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  let hash = 0n;
  // Without the margin, rounding noise alone would decide the bits of a plain area.
  for (const coefficient of coefficients) hash = (hash << 1n) | (coefficient > median + 1e-6 ? 1n : 0n);
  return BigInt.asIntN(64, hash);
}

/** Returns the mean of each of 32 × 32 cells. Every pixel counts, so that a copy of another size has the same means. */
function shrink(grey: Uint8Array, width: number, height: number): Float64Array {
  const means = new Float64Array(side * side);
  const startOf = (cell: number, length: number) => Math.ceil((cell * length) / side);
  for (let cell = 0; cell < means.length; cell++) {
    const [row, column] = [Math.floor(cell / side), cell % side];
    const [top, bottom] = [startOf(row, height), startOf(row + 1, height)];
    const [left, right] = [startOf(column, width), startOf(column + 1, width)];
    let sum = 0;
    // One sum for each cell: looking up the cell of each pixel took five times as long.
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += grey[y * width + x] ?? 0;
    means[cell] = sum / ((bottom - top) * (right - left));
  }
  return means;
}

/** Returns the discrete cosine transform at the used frequencies, computed by rows first. */
function transform(cells: Float64Array): Float64Array {
  const rows = new Float64Array(side * frequencies);
  for (let y = 0; y < side; y++)
    for (const [u, cosine] of cosines.entries())
      rows[y * frequencies + u] = cosine.reduce((sum, value, x) => sum + value * (cells[y * side + x] ?? 0), 0);
  const result = new Float64Array(frequencies * frequencies);
  for (const [v, cosine] of cosines.entries())
    for (let u = 0; u < frequencies; u++)
      result[v * frequencies + u] = cosine.reduce((sum, value, y) => sum + value * (rows[y * frequencies + u] ?? 0), 0);
  return result;
}

import type { Random } from './random.ts';

export type Noise = {
  /** Returns gradient noise, about −1 to 1, smooth at the scale of 1. */
  at(x: number, y: number): number;
  /** Adds octaves of noise, each twice as fine and half as strong. */
  fractal(x: number, y: number, octaves: number): number;
};

const SIZE = 256;

/** Creates Perlin's gradient noise over a shuffled table. */
export function createNoise(random: Random): Noise {
  const gradientX = new Float32Array(SIZE);
  const gradientY = new Float32Array(SIZE);
  const order = new Uint8Array(SIZE * 2);
  for (let i = 0; i < SIZE; i++) {
    const angle = random.next() * 2 * Math.PI;
    gradientX[i] = Math.cos(angle);
    gradientY[i] = Math.sin(angle);
    order[i] = i;
  }
  for (let i = SIZE - 1; i > 0; i--) {
    const j = random.int(0, i);
    const held = order[i] ?? 0;
    order[i] = order[j] ?? 0;
    order[j] = held;
  }
  order.copyWithin(SIZE, 0, SIZE);

  const corner = (cellX: number, cellY: number, dx: number, dy: number) => {
    const at = order[(order[cellX & 255] ?? 0) + (cellY & 255)] ?? 0;
    return (gradientX[at] ?? 0) * dx + (gradientY[at] ?? 0) * dy;
  };
  const at = (x: number, y: number) => {
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    const dx = x - cellX;
    const dy = y - cellY;
    const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10);
    const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10);
    const top = corner(cellX, cellY, dx, dy);
    const bottom = corner(cellX, cellY + 1, dx, dy - 1);
    const above = top + u * (corner(cellX + 1, cellY, dx - 1, dy) - top);
    const below = bottom + u * (corner(cellX + 1, cellY + 1, dx - 1, dy - 1) - bottom);
    return (above + v * (below - above)) * 1.5;
  };
  return {
    at,
    fractal(x, y, octaves) {
      let sum = 0;
      let strength = 0.5;
      for (let octave = 0; octave < octaves; octave++) {
        sum += strength * at(x, y);
        // The shift keeps the lattice points of the octaves apart.
        x = x * 2 + 37.7;
        y = y * 2 + 17.3;
        strength /= 2;
      }
      return sum;
    },
  };
}

import { clamp, glow, gradient, mix, type Rgb, rgb, smoothstep } from '../color.ts';
import type { Noise } from '../noise.ts';
import type { Size } from '../picture.ts';
import type { Random } from '../random.ts';

/** The color and the direction of a stroke at its position. */
export type Field = { colorAt: (x: number, y: number) => Rgb; angleAt: (x: number, y: number) => number };

type Sun = { x: number; y: number; radius: number };
type Cypress = { x: number; foot: number; tall: number; wide: number };
/** Hills from far to near. `facing` returns the hill at a position, or −1 for the sky. */
type Hills = { at(hill: number, x: number): number; facing(x: number, y: number): number };

/** Strokes may begin and end this far outside the picture. */
export const MARGIN = 200;

const skyTones = gradient([
  [0, '#152a63'],
  [0.25, '#1f56a0'],
  [0.5, '#3d93bd'],
  [0.72, '#9fcfb4'],
  [0.88, '#f6dd8c'],
  [1, '#fbb24f'],
]);
const wheatTones = gradient([
  [0, '#f4c64a'],
  [0.35, '#dd9426'],
  [0.7, '#8f6a2a'],
  [1, '#37502f'],
]);
const sunTones = gradient([
  [0, '#fffbe0'],
  [0.4, '#ffe985'],
  [0.75, '#fbc23c'],
  [1, '#f2902e'],
]);
const leafTones = gradient([
  [0, '#0f2a2b'],
  [0.45, '#1d4b39'],
  [0.8, '#4d7a3a'],
  [1, '#b79a3e'],
]);
const distantTones = [rgb('#5f7fae'), rgb('#86995a'), rgb('#c98a2b')] as const;

/** Creates a sun that turns the sky around itself, over wheat hills with two cypresses. */
export function wheatMorning(noise: Noise, random: Random, size: Size): Field {
  const { width, height } = size;
  const sun = { x: width * random.between(0.6, 0.68), y: height * 0.33, radius: height * 0.105 };
  const hills = hillsOf(noise, size);
  const cypresses: Cypress[] = [
    { x: width * 0.15, foot: height * 0.99, tall: height * 0.83, wide: width * 0.052 },
    { x: width * 0.225, foot: height * 0.97, tall: height * 0.52, wide: width * 0.036 },
  ];
  return {
    colorAt(x, y) {
      const tree = cypressAt(cypresses, noise, x, y);
      if (tree) return leafTones(clamp(0.3 + tree.across * 0.4 + noise.fractal(x / 14, y / 50, 3) * 0.8));
      const hill = hills.facing(x, y);
      return hill === -1 ? skyAt(sun, noise, size, x, y) : groundAt(hills, hill, sun, noise, size, x, y);
    },
    angleAt(x, y) {
      const tree = cypressAt(cypresses, noise, x, y, 1.7);
      // A flame: it points up, leans in towards the tip, and curls.
      if (tree) return -Math.PI / 2 - tree.across * 0.4 + noise.fractal(x / 40, y / 60, 2) * 1.3;
      const hill = hills.facing(x, y);
      if (hill === -1) return windAt(sun, noise, x, y);
      return (
        Math.atan2(hills.at(hill, x + 12) - hills.at(hill, x - 12), 24) + noise.at(x / 150, y / 60 + hill * 7) * 0.5
      );
    },
  };
}

function hillsOf(noise: Noise, { width, height }: Size): Hills {
  const lines = [0.61, 0.72, 0.84].map((level, hill) =>
    Float32Array.from({ length: width + 2 * MARGIN }, (_, at) => {
      const along = ((at - MARGIN) / width) * (1.6 + hill * 0.7);
      return height * (level + 0.13 * noise.fractal(along + hill * 9, hill * 5, 3));
    }),
  );
  const at = (hill: number, x: number) =>
    lines[hill]?.[Math.round(clamp(x, -MARGIN, width + MARGIN - 1)) + MARGIN] ?? height;
  return {
    at,
    facing(x, y) {
      for (let hill = lines.length - 1; hill >= 0; hill--) if (y > at(hill, x)) return hill;
      return -1;
    },
  };
}

function skyAt(sun: Sun, noise: Noise, { height }: Size, x: number, y: number): Rgb {
  const away = Math.hypot(x - sun.x, y - sun.y) / sun.radius;
  if (away < 1) return sunTones(away * 0.8);
  const rings = 0.5 + 0.5 * Math.cos(away * 4.4 + noise.at(x / 90, y / 90) * 1.6);
  const warm = Math.exp(-(away - 1) * 0.5);
  const base = skyTones(clamp((y / height) * 1.25 + 0.16 * noise.fractal(x / 260, y / 120, 3) + warm * 0.35));
  return mix(base, sunTones(0.2 + 0.5 * (1 - warm)), clamp(warm * (0.25 + 0.85 * rings)));
}

function groundAt(hills: Hills, hill: number, sun: Sun, noise: Noise, size: Size, x: number, y: number): Rgb {
  const depth = clamp((y - hills.at(hill, x)) / (size.height * 0.19));
  const furrow = noise.fractal(x / 46 + hill * 30, y / 15, 3);
  const lit = smoothstep(0.6, 0, Math.abs(x - sun.x) / size.width) * (1 - depth) * 0.5;
  const far = distantTones[hill] ?? distantTones[0];
  const ground =
    hill === 0
      ? mix(far, rgb('#2c4474'), depth)
      : mix(wheatTones(clamp(depth * 0.8 + furrow * 0.55)), far, hill === 1 ? 0.45 : 0.1);
  return glow(ground, rgb('#ffcf6a'), lit * 0.55);
}

/** Returns the wind: around the sun near it, by the noise farther away. */
function windAt(sun: Sun, noise: Noise, x: number, y: number): number {
  const dx = x - sun.x;
  const dy = y - sun.y;
  const away = Math.hypot(dx, dy) / sun.radius;
  const around = Math.atan2(dy, dx) + Math.PI / 2;
  const wind = noise.fractal(x / 330, y / 210, 2) * 3.4;
  const pull = Math.exp(-Math.max(0, away - 1) * 0.36);
  const sine = Math.sin(around) * pull + Math.sin(wind) * (1 - pull);
  const cosine = Math.cos(around) * pull + Math.cos(wind) * (1 - pull);
  return Math.atan2(sine, cosine);
}

/**
 * Returns whether a cypress stands at a position, and how far it is to the right of the trunk (−1 to 1). `reach` above
 * 1 includes the air around the tree.
 */
function cypressAt(cypresses: Cypress[], noise: Noise, x: number, y: number, reach = 1): { across: number } | null {
  for (const { x: trunk, foot, tall, wide } of cypresses) {
    const up = (foot - y) / tall;
    if (up < -0.05 || up > 0.98 + reach * 0.02) continue;
    const sway = Math.sin(up * 4 + trunk) * wide * 0.22;
    const taper = Math.max(0, 1 - up) ** 0.75 * (0.6 + 0.4 * Math.sin(Math.min(1, up * 3.2) * 1.57));
    const half = wide * Math.max(0.02, taper) * (1 + noise.at(y / 26, trunk) * 0.4);
    const across = (x - trunk - sway) / half;
    if (Math.abs(across) < reach) return { across };
  }
  return null;
}

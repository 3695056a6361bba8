/** Red, green, and blue from 0 to 255, as sRGB. */
export type Rgb = readonly [number, number, number];

type Lab = readonly [number, number, number];

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encoded = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
const byte = (value: number) => Math.min(255, Math.max(0, 255 * encoded(Math.max(0, value))));

export function clamp(value: number, least = 0, most = 1): number {
  return Math.min(most, Math.max(least, value));
}

/** Returns 0 below `from`, 1 above `to`, and an S curve between. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
}

export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function css([r, g, b]: Rgb, alpha = 1): string {
  const list = [r, g, b].map((value) => Math.round(clamp(value, 0, 255))).join(',');
  return alpha === 1 ? `rgb(${list})` : `rgba(${list},${alpha.toFixed(3)})`;
}

// Björn Ottosson's OKLab keeps the brightness of mixtures, so they never turn gray or muddy.
function toLab(color: Rgb): Lab {
  const [r, g, b] = [linear(color[0] / 255), linear(color[1] / 255), linear(color[2] / 255)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    byte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function mixLab(from: Lab, to: Lab, t: number): Lab {
  return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t];
}

/** Mixes two colors evenly to the eye. `t` goes from 0 to 1. */
export function mix(from: Rgb, to: Rgb, t: number): Rgb {
  return fromLab(mixLab(toLab(from), toLab(to), clamp(t)));
}

/** Adds to lightness (about −1 to 1) and multiplies saturation. */
export function tint(color: Rgb, lighter: number, saturation = 1): Rgb {
  const [lightness, a, b] = toLab(color);
  return fromLab([clamp(lightness + lighter), a * saturation, b * saturation]);
}

const STEPS = 512;

/**
 * Creates a color scale from 0 to 1 through the given stops. It uses a table, because a picture needs a million colors.
 */
export function gradient(stops: readonly (readonly [at: number, hex: string])[]): (t: number) => Rgb {
  const labs = stops.map(([at, hex]) => ({ at, lab: toLab(rgb(hex)) }));
  const table = Array.from({ length: STEPS + 1 }, (_, step): Rgb => {
    const t = step / STEPS;
    const next = labs.findIndex(({ at }) => at >= t);
    const upper = labs.at(next === -1 ? -1 : next);
    const lower = labs.at(next === -1 ? -1 : Math.max(0, next - 1));
    if (!upper || !lower) return [0, 0, 0];
    const span = upper.at - lower.at;
    return fromLab(span > 0 ? mixLab(lower.lab, upper.lab, clamp((t - lower.at) / span)) : upper.lab);
  });
  return (t) => table[Math.round(clamp(t) * STEPS)] ?? [0, 0, 0];
}

/** Makes a color darker (below 1) or brighter (above 1). It is fast enough for the inner loop of a pixel style. */
export function lit(color: Rgb, by: number): Rgb {
  return [color[0] * by, color[1] * by, color[2] * by];
}

/** Mixes two colors by their bytes. It is fast, and good enough for edges and thin lines. */
export function blend(from: Rgb, to: Rgb, t: number): Rgb {
  return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t];
}

/** Adds light to a color, as a glow does. */
export function glow(color: Rgb, light: Rgb, strength: number): Rgb {
  const screen = (base: number, added: number) => 255 - (255 - base) * (1 - (added / 255) * clamp(strength));
  return [screen(color[0], light[0]), screen(color[1], light[1]), screen(color[2], light[2])];
}

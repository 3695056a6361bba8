import { css, gradient } from '../color.ts';
import type { Style } from '../picture.ts';
import type { Random } from '../random.ts';

/** Lines that swing between two wavy circles. Radii are fractions of the rosette's radius. */
type Band = {
  inner: number;
  outer: number;
  /** How far and how often the two circles wave. */
  wave: number;
  petals: number;
  /** How often a line swings from one circle to the other, and the number of lines. */
  swings: number;
  lines: number;
  colors: readonly [string, string, string];
};

/** Engraver's lathe work, as on banknotes. Every line is simple, and the pattern comes from all lines together. */
export const guilloche: Style = {
  finish: { grain: 0.014, vignette: 0.4 },
  draw(random, { width, height }) {
    const center = { x: width / 2, y: height / 2, radius: Math.min(width, height) * 0.47 };
    const lines = bandsOf(random).flatMap((band) => linesOf(band, center));
    return {
      svg: `<defs><radialGradient id="n" cx=".5" cy=".5" r=".72"><stop offset="0" stop-color="#3a2350"/><stop offset=".45" stop-color="#171b47"/><stop offset="1" stop-color="#080d26"/></radialGradient>
<radialGradient id="s"><stop offset="0" stop-color="#fff6d8"/><stop offset=".12" stop-color="#ffdf94" stop-opacity=".9"/><stop offset=".5" stop-color="#ff9a5a" stop-opacity=".22"/><stop offset="1" stop-color="#ff7a6a" stop-opacity="0"/></radialGradient></defs>
<rect width="100%" height="100%" fill="url(#n)"/><circle cx="${center.x}" cy="${center.y}" r="${center.radius * 0.5}" fill="url(#s)"/>
<g fill="none" stroke-width="1.05">${corners(width, height)}${lines.join('')}</g><circle cx="${center.x}" cy="${center.y}" r="${center.radius * 0.055}" fill="#fffbe9"/>`,
    };
  },
};

function bandsOf(random: Random): Band[] {
  const petals = random.pick([12, 16] as const);
  return [
    {
      inner: 0.9,
      outer: 1,
      wave: 0.012,
      petals: petals * 2,
      swings: petals * 6,
      lines: 9,
      colors: ['#2f6f9f', '#58b7c4', '#9fe0d2'],
    },
    {
      inner: 0.62,
      outer: 0.93,
      wave: 0.075,
      petals,
      swings: petals * 2.5,
      lines: 26,
      colors: ['#2f7fb0', '#49b6b4', '#d6efcf'],
    },
    {
      inner: 0.4,
      outer: 0.78,
      wave: -0.09,
      petals,
      swings: petals * 1.5,
      lines: 30,
      colors: ['#b33a78', '#ee6f6a', '#ffc48a'],
    },
    {
      inner: 0.2,
      outer: 0.52,
      wave: 0.11,
      petals,
      swings: petals / 2,
      lines: 34,
      colors: ['#ef8a3c', '#ffc452', '#fff0b8'],
    },
    {
      inner: 0.07,
      outer: 0.27,
      wave: 0,
      petals: petals / 2,
      swings: petals / 4 + 0.5,
      lines: 26,
      colors: ['#fff4cc', '#ffe08a', '#ffc25a'],
    },
  ];
}

function linesOf(
  { inner, outer, wave, petals, swings, lines, colors }: Band,
  center: { x: number; y: number; radius: number },
): string[] {
  const color = gradient([
    [0, colors[0]],
    [0.5, colors[1]],
    [1, colors[2]],
  ]);
  // A line with a fractional number of swings closes after two turns.
  const turns = Number.isInteger(swings) ? 1 : 2;
  const steps = Math.round(Math.max(260, swings * 26)) * turns;
  return Array.from({ length: lines }, (_, line) => {
    const phase = (line / lines) * 2 * Math.PI;
    let path = '';
    for (let step = 0; step < steps; step++) {
      const turn = (step / steps) * 2 * Math.PI * turns;
      const swell = Math.cos(petals * turn) * wave;
      const middle = (inner + outer) / 2 + swell;
      const half = ((outer - inner) / 2) * (1 - 0.28 * Math.cos(petals * turn) * Math.sign(wave));
      const reach = center.radius * (middle + half * Math.sin(swings * turn + phase));
      path += `${step === 0 ? 'M' : 'L'}${(center.x + Math.cos(turn) * reach).toFixed(1)} ${(center.y + Math.sin(turn) * reach).toFixed(1)}`;
    }
    const t = 0.5 - 0.5 * Math.cos(phase);
    return `<path d="${path}Z" stroke="${css(color(t), 0.78)}"/>`;
  });
}

/** Draws quarter rings that spread from the corners, finer than the eye resolves at arm's length. */
function corners(width: number, height: number): string {
  const rings: string[] = [];
  for (const [x, y] of [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const) {
    for (let ring = 0; ring < 34; ring++) {
      const radius = 30 + ring * Math.min(width, height) * 0.0088;
      rings.push(
        `<circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}" stroke="#7f9fd0" stroke-opacity="${(0.42 * (1 - ring / 34)).toFixed(3)}"/>`,
      );
    }
  }
  return rings.join('');
}

import { blend, clamp, glow, gradient, lit, mix, type Rgb, rgb, smoothstep, tint } from '../color.ts';
import { createNoise } from '../noise.ts';
import { shade, type Size, type Style } from '../picture.ts';
import type { Random } from '../random.ts';
import { createMosaic, type Pane } from '../voronoi.ts';

type Sun = { x: number; y: number; radius: number };

/** A window lit from behind: panes in rings around the sun, water below, and lead between them. */
export const stainedGlass: Style = {
  finish: { grain: 0.018, vignette: 0.45 },
  draw(random, size) {
    const noise = createNoise(random);
    const { width, height } = size;
    const sun = { x: width / 2, y: height * 0.43, radius: width * 0.145 };
    const horizon = height * 0.69;
    const groups = [discOf(random, sun), raysOf(random, size, sun), waterOf(random, size, sun, horizon)];
    const mosaics = groups.map((panes, group) => createMosaic(panes, size, width / 10, group === 2 ? 2.2 : 1));
    const lead = width * 0.0042;
    const frame = width * 0.012;
    return shade(size, (x, y) => {
      const away = Math.hypot(x - sun.x, y - sun.y);
      const group = y > horizon ? 2 : away < sun.radius ? 0 : 1;
      const { pane, edge } = mosaics[group]?.(x, y) ?? { pane: DARK, edge: 0 };
      const toSun = group === 2 ? Infinity : Math.abs(away - sun.radius);
      const toFrame = Math.min(x, y, width - 1 - x, height - 1 - y) - frame;
      const across = Math.min(edge, toSun * 0.75, Math.abs(y - horizon) * 0.75, Math.max(0, toFrame)) / lead;
      const light = Math.exp(-Math.max(0, away - sun.radius * 0.4) / (width * 0.4));
      const c = Math.cos(pane.grain);
      const s = Math.sin(pane.grain);
      const streak = noise.fractal((x * c + y * s) / 9, (y * c - x * s) / 70 + pane.grain * 40, 3);
      const bubble = noise.fractal(x / 26 + pane.grain * 11, y / 26, 3);
      const rim = smoothstep(0, 7, across);
      const glass = lit(pane.color, 1 + streak * 0.3 + bubble * 0.27 + (rim - 0.6) * 0.5);
      return blend(leadAt(across, light), glow(glass, SUNLIGHT, light * 0.34), smoothstep(0.75, 1.25, across));
    });
  },
};

const SUNLIGHT: Rgb = [255, 226, 160];
const DARK: Pane = { x: 0, y: 0, color: [20, 20, 28], grain: 0 };

/** Shades round lead: brighter along its middle, warm near the sun. */
function leadAt(across: number, light: number): Rgb {
  const round = Math.max(0, 1 - across * across);
  return [20 + round * 38 + light * 30, 20 + round * 35 + light * 17, 28 + round * 34 + light * 4];
}

function paneAt(random: Random, x: number, y: number, color: Rgb): Pane {
  return {
    x,
    y,
    color: tint(color, random.gaussian() * 0.04, random.between(1, 1.22)),
    grain: random.between(0, Math.PI),
  };
}

const rays = gradient([
  [0, '#ffd94f'],
  [0.14, '#fdae2c'],
  [0.28, '#f2662a'],
  [0.44, '#cf2740'],
  [0.6, '#86205f'],
  [0.78, '#3c2d8c'],
  [1, '#13245f'],
]);

function discOf(random: Random, { x, y, radius }: Sun): Pane[] {
  const turned = Array.from({ length: 7 }, (_, i) => (i / 7) * 2 * Math.PI + 0.3);
  const petals = turned.map((turn, i) => {
    const color = rgb(i % 2 ? '#ffe680' : '#ffcb45');
    return paneAt(random, x + Math.cos(turn) * radius * 0.66, y + Math.sin(turn) * radius * 0.66, color);
  });
  return [paneAt(random, x, y, rgb('#fff6c4')), ...petals];
}

/** Creates rings that widen outwards. Every other pane is a step darker, so the eye reads rays. */
function raysOf(random: Random, { width, height }: Size, sun: Sun): Pane[] {
  const panes: Pane[] = [];
  const farthest = Math.hypot(width * 0.62, sun.y);
  let radius = sun.radius * 1.26;
  for (let ring = 0; radius < farthest * 1.25; ring++) {
    const cells = ring < 2 ? 18 : ring < 5 ? 24 : 32;
    for (let cell = 0; cell < cells; cell++) {
      const turn = ((cell + (ring % 2) / 2) / cells) * 2 * Math.PI + random.gaussian() * 0.016;
      const reach = radius + random.gaussian() * sun.radius * 0.045;
      const x = sun.x + Math.cos(turn) * reach;
      const y = sun.y + Math.sin(turn) * reach;
      if (x < -120 || x > width + 120 || y < -120 || y > height * 0.78) continue;
      const outwards = (radius - sun.radius) / farthest;
      panes.push(paneAt(random, x, y, rays(clamp(outwards * 1.12 + (cell % 2 ? 0.07 : -0.05)))));
    }
    radius += sun.radius * (0.52 + ring * 0.085);
  }
  return panes;
}

/** Creates low panes in rows, like waves. The sun's path runs down the middle. */
function waterOf(random: Random, { width, height }: Size, sun: Sun, horizon: number): Pane[] {
  const deepening = gradient([
    [0, '#3fb7b4'],
    [0.3, '#1c8aa6'],
    [0.6, '#165f97'],
    [1, '#11286a'],
  ]);
  const path = gradient([
    [0, '#ffdf6b'],
    [0.5, '#fba738'],
    [1, '#e6603a'],
  ]);
  const panes: Pane[] = [];
  let y = horizon + height * 0.012;
  for (let row = 0; y < height + 80; row++) {
    const tall = height * (0.027 + row * 0.0036);
    const wide = tall * 2.5;
    for (let x = sun.x - wide * (9 + (row % 2) / 2); x < width + wide; x += wide) {
      const px = x + random.gaussian() * wide * 0.1;
      const deep = clamp((y - horizon) / (height - horizon));
      const inLight = Math.abs(px - sun.x) < width * (0.075 + deep * 0.1) * random.between(0.75, 1.25);
      const color = inLight ? path(deep) : deepening(clamp(deep + random.gaussian() * 0.09));
      const beside = !inLight && Math.abs(px - sun.x) < width * 0.3 && random.next() < 0.3;
      panes.push(
        paneAt(random, px, y + random.gaussian() * tall * 0.08, beside ? mix(rgb('#7a3f8f'), color, 0.35) : color),
      );
    }
    y += tall;
  }
  return panes;
}

import { clamp, css, glow, gradient, mix, type Rgb, rgb, tint } from '../color.ts';
import { triangulate } from '../delaunay.ts';
import { createNoise, type Noise } from '../noise.ts';
import type { Size, Style } from '../picture.ts';
import type { Random } from '../random.ts';

type Ridge = { at: (x: number) => number; color: Rgb; haze: number };

/** Mountains and a still lake, folded from a few thousand facets. The mesh follows the ridges to keep them sharp. */
export const lowPoly: Style = {
  finish: { grain: 0.012, vignette: 0.3 },
  draw(random, size) {
    const noise = createNoise(random);
    const scene = sceneOf(noise, size);
    const points = pointsOf(scene, random, size);
    const facets = triangulate(points).map(([a, b, c]) => {
      const x = (a[0] + b[0] + c[0]) / 3;
      const y = (a[1] + b[1] + c[1]) / 3;
      const tilt = noise.fractal(x / 70, y / 70, 2) * 0.06 + random.gaussian() * 0.014;
      const fill = css(scene.colorAt(x, y, tilt));
      const outline = [a, b, c].map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
      return `<polygon points="${outline}" fill="${fill}" stroke="${fill}"/>`;
    });
    const { x, y, radius } = scene.sun;
    return {
      svg: `<defs><radialGradient id="g"><stop offset="0" stop-color="#fff3cf" stop-opacity=".85"/><stop offset=".25" stop-color="#ffd79a" stop-opacity=".38"/><stop offset="1" stop-color="#ffb37a" stop-opacity="0"/></radialGradient></defs>
<g stroke-width=".8" stroke-linejoin="round">${facets.join('')}</g><circle cx="${x}" cy="${y}" r="${radius * 5.5}" fill="url(#g)"/>`,
    };
  },
};

function sceneOf(noise: Noise, { width, height }: Size) {
  const shore = height * 0.68;
  const sun = { x: width * 0.56, y: height * 0.42, radius: height * 0.062 };
  const sky = gradient([
    [0, '#2a2f6d'],
    [0.3, '#6a4a8f'],
    [0.55, '#d0638a'],
    [0.78, '#f79a76'],
    [1, '#fdd79b'],
  ]);
  const ridges: Ridge[] = [
    { base: 0.56, high: 0.34, wide: 2.3, color: '#a5698f', haze: 0.6 },
    { base: 0.62, high: 0.32, wide: 2.6, color: '#6d467e', haze: 0.32 },
    { base: 0.68, high: 0.2, wide: 3.4, color: '#35295c', haze: 0.1 },
  ].map(({ base, high, wide, color, haze }, index) => ({
    at: (x: number) => {
      const along = (x / width) * wide + index * 13.1;
      const peak =
        (0.85 - Math.abs(noise.at(along, index * 3.7 + 0.4)) * 2.1) * 0.75 +
        noise.fractal(along * 2.6, index * 5.1, 4) * 0.4;
      return Math.min(shore, height * (base - high * clamp(peak, -0.35, 1)));
    },
    color: rgb(color),
    haze,
  }));
  const landAt = (x: number, y: number, tilt: number): Rgb => {
    for (const ridge of ridges.toReversed()) {
      const top = ridge.at(x);
      if (y < top) continue;
      const down = clamp((y - top) / (height * 0.2));
      // The side that faces the sun is lit. The crest between light and shade wanders on its way down.
      const crest = x + noise.at(x / 90, (y - top) / 60 + 9) * Math.min(60, (y - top) * 0.9);
      const slope = (ridge.at(crest + 26) - ridge.at(crest - 26)) / 52;
      const facing = clamp(slope * Math.sign(sun.x - x) * 0.95, -0.75, 1);
      const lit = tint(ridge.color, facing * 0.13 * (1 - ridge.haze * 0.4) + tilt, 1.1);
      const warm = glow(lit, rgb('#ff8f62'), Math.max(0, facing) * 0.6 * (1 - down * 0.5));
      return mix(warm, rgb('#f0a58c'), ridge.haze * (0.25 + down * 0.75));
    }
    const away = Math.hypot(x - sun.x, y - sun.y);
    if (away < sun.radius) return rgb('#fffbe6');
    const base = sky(clamp(y / (height * 0.62) + 0.1 * noise.fractal(x / 380, y / 90, 3) + tilt));
    return glow(base, rgb('#ffdca0'), Math.exp(-away / (height * 0.2)) * 0.75);
  };
  return {
    shore,
    sun,
    ridges,
    colorAt(x: number, y: number, tilt: number): Rgb {
      if (y <= shore) return landAt(x, y, tilt);
      const deep = (y - shore) / (height - shore);
      const mirrored = landAt(x + noise.at(x / 60, y / 9) * 16 * deep, shore - (y - shore) * 1.25, tilt * 1.6);
      const glint =
        Math.exp(-(((x - sun.x) / (width * (0.022 + deep * 0.055))) ** 2)) * clamp(0.8 + noise.at(x / 40, y / 9) * 0.9);
      const water = mix(mirrored, rgb('#2a2a66'), 0.14 + deep * 0.38);
      return glow(mix(water, rgb('#f5826c'), glint * 0.6), rgb('#ffc977'), glint * (0.85 - deep * 0.4));
    },
  };
}

function pointsOf(scene: ReturnType<typeof sceneOf>, random: Random, { width, height }: Size): [number, number][] {
  const points: [number, number][] = [];
  for (let x = -30; x <= width + 30; x += 17) {
    for (const ridge of scene.ridges) points.push([x + random.between(-4, 4), ridge.at(x) + random.between(-0.5, 0.5)]);
    points.push([x + random.between(-5, 5), scene.shore]);
  }
  const { x, y, radius } = scene.sun;
  for (let i = 0; i < 20; i++) {
    const turn = (i / 20) * 2 * Math.PI;
    points.push([x + Math.cos(turn) * radius, y + Math.sin(turn) * radius]);
  }
  const spread = 34;
  for (let py = -30; py <= height + 30; py += spread) {
    for (let px = -40; px <= width + 40; px += spread * 1.15) {
      const point: [number, number] = [
        px + random.between(-0.45, 0.45) * spread,
        py + random.between(-0.45, 0.45) * spread,
      ];
      if (point[1] < scene.shore - 4 && Math.hypot(point[0] - x, point[1] - y) > radius * 1.12) points.push(point);
    }
  }
  // Still water is flat, so its facets are wide and low, and grow towards the viewer.
  for (let py = scene.shore + 7, step = 11; py < height + 40; py += step, step *= 1.07) {
    for (let px = -90; px <= width + 90; px += step * 3.1) {
      points.push([px + random.between(-1.2, 1.2) * step, py + random.between(-0.25, 0.25) * step]);
    }
  }
  return points;
}

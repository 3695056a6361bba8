import { blend, clamp, gradient, lit, smoothstep } from '../color.ts';
import { createNoise } from '../noise.ts';
import { shade, type Style } from '../picture.ts';

/** Ink on water, distorted by noise that other noise distorts. Gold lies where the folds meet. */
export const marbling: Style = {
  finish: { grain: 0.016, vignette: 0.4 },
  draw(random, size) {
    const noise = createNoise(random);
    const scale = 2.1 / Math.min(size.width, size.height);
    const [shiftX, shiftY] = [random.between(0, 40), random.between(0, 40)];
    const sun = { x: size.width * random.between(0.56, 0.66), y: size.height * random.between(0.34, 0.44) };
    const ink = gradient([
      [0, '#071a33'],
      [0.2, '#0d3c5e'],
      [0.38, '#1f7f8c'],
      [0.52, '#bfe0d2'],
      [0.6, '#fbf1dc'],
      [0.7, '#f7c08a'],
      [0.82, '#e4694f'],
      [0.93, '#8e2348'],
      [1, '#3d1140'],
    ]);
    const gold = gradient([
      [0, '#8a5a1c'],
      [0.5, '#d0a24e'],
      [1, '#ffe9a8'],
    ]);
    const heightAt = (x: number, y: number) => {
      const pullX = noise.fractal(x, y, 3);
      const pullY = noise.fractal(x + 5.2, y + 1.3, 3);
      const foldX = noise.fractal(x + 2.6 * pullX + 1.7, y + 2.6 * pullY + 9.2, 3);
      const foldY = noise.fractal(x + 2.6 * pullX + 8.3, y + 2.6 * pullY + 2.8, 3);
      return { value: noise.fractal(x + 2.4 * foldX, y + 2.4 * foldY, 4), pull: pullX, fold: foldY };
    };
    return shade(size, (px, py) => {
      const x = px * scale + shiftX;
      const y = py * scale + shiftY;
      const { value, pull, fold } = heightAt(x, y);
      const bands = 0.5 + 0.5 * Math.sin(value * 24 + fold * 6);
      // The sun is the first drop of ink, distorted with the rest.
      const away = Math.hypot(px - sun.x + pull * 80, py - sun.y + fold * 60) * scale;
      const sunlit = smoothstep(0.56, 0.47, away);
      const sea = 0.5 + fold * 0.95 + value * 0.32 + (bands - 0.5) * 0.1;
      const tone = clamp(sea + (0.6 + away * 0.5 + (bands - 0.5) * 0.1 - sea) * sunlit);
      const base = lit(ink(tone), 1 + (bands - 0.5) * 0.2 + pull * 0.28);
      const vein = smoothstep(0.035, 0.006, Math.abs(value + pull * 0.25 - 0.05));
      if (vein === 0) return base;
      return blend(base, gold(0.5 + noise.fractal(px / 22, py / 22, 2) * 1.4), vein * 0.92);
    });
  },
};

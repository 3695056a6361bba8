import { clamp, css, tint } from '../color.ts';
import { createNoise } from '../noise.ts';
import type { Size, Style } from '../picture.ts';
import type { Random } from '../random.ts';
import { type Field, MARGIN, wheatMorning } from './wheat-morning.ts';

/** Thick strokes of paint that follow a flow, large strokes first. The light of a sun turns the whole sky. */
export const brushwork: Style = {
  finish: { relief: 0.32, grain: 0.02, vignette: 0.35 },
  draw(random, size) {
    const scene = wheatMorning(createNoise(random), random, size);
    const field = { ...scene, angleAt: sampled(scene.angleAt, size) };
    const layers = [
      { spacing: 26, length: 120, thickness: 40, drift: 0.5 },
      { spacing: 15, length: 84, thickness: 15, drift: 0.8 },
      { spacing: 12, length: 56, thickness: 8.4, drift: 1 },
      { spacing: 14, length: 42, thickness: 3.8, drift: 1.5 },
    ];
    const strokes = layers.flatMap((layer) => layerOf(layer, field, random, size));
    return {
      svg: `<rect width="100%" height="100%" fill="#7f9aa0"/><g fill="none" stroke-linecap="round">${strokes.join('')}</g>`,
    };
  },
};

const GRID = 5;

/** Caches the field on a grid: a stroke needs six angles, and a picture has twenty thousand strokes. */
function sampled(angleAt: Field['angleAt'], { width, height }: Size): Field['angleAt'] {
  const columns = Math.ceil((width + 2 * MARGIN) / GRID);
  const rows = Math.ceil((height + 2 * MARGIN) / GRID);
  const cells = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      cells[row * columns + column] = angleAt(column * GRID - MARGIN, row * GRID - MARGIN);
    }
  }
  return (x, y) => {
    const column = clamp(Math.round((x + MARGIN) / GRID), 0, columns - 1);
    const row = clamp(Math.round((y + MARGIN) / GRID), 0, rows - 1);
    return cells[row * columns + column] ?? 0;
  };
}

type Layer = {
  spacing: number;
  length: number;
  thickness: number;
  /** How far the color of a stroke can vary. */
  drift: number;
};

function layerOf(
  { spacing, length, thickness, drift }: Layer,
  field: Field,
  random: Random,
  { width, height }: Size,
): string[] {
  const starts: { x: number; y: number; order: number }[] = [];
  for (let y = -spacing; y < height + spacing; y += spacing) {
    for (let x = -spacing; x < width + spacing; x += spacing) {
      const stray = () => random.between(-0.6, 0.6) * spacing;
      starts.push({ x: x + stray(), y: y + stray(), order: random.next() });
    }
  }
  return starts
    .toSorted((a, b) => a.order - b.order)
    .map(({ x, y }) => {
      const lightness = random.gaussian() * 0.035 * drift;
      const color = tint(field.colorAt(x, y), lightness, random.between(0.9, 1.2));
      const path = strokeFrom(x, y, length * random.between(0.6, 1.1), field);
      const wide = thickness * random.between(0.55, 1.1);
      return `<path d="${path}" stroke="${css(color, random.between(0.8, 0.98))}" stroke-width="${wide.toFixed(1)}"/>`;
    });
}

function strokeFrom(x: number, y: number, length: number, field: Field): string {
  const step = Math.max(6, length / 6);
  let path = `M${x.toFixed(1)} ${y.toFixed(1)}`;
  for (let gone = 0; gone < length; gone += step) {
    const angle = field.angleAt(x, y);
    x += Math.cos(angle) * step;
    y += Math.sin(angle) * step;
    path += `L${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return path;
}

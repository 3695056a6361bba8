import { createCipheriv } from 'node:crypto';
import { type Layout, layoutOf } from './watermark-layout.ts';

/** Pixels with 1 to 4 channels of 8 bits. An even number of channels ends with the opacity. */
export type Pixels = { data: Buffer; width: number; height: number; channels: number };

const CELL = 4;

/** Digits of seven segments: top, upper right, lower right, bottom, lower left, upper left, middle. */
const SEGMENTS = [
  [0, 0, 1, 0],
  [1, 0, 1, 0.5],
  [1, 0.5, 1, 1],
  [0, 1, 1, 1],
  [0, 0.5, 0, 1],
  [0, 0, 0, 0.5],
  [0, 0.5, 1, 0.5],
] as const;
const DIGITS: Record<string, string> = {
  '0': '012345', '1': '12', '2': '01643', '3': '01623', '4': '5612', '5': '05623', '6': '056234', '7': '012',
  '8': '0123456', '9': '012356', a: '012456', b: '23456', c: '0345', d: '12346', e: '03456', f: '0456',
}; // prettier-ignore

/**
 * Draws the mark over the whole picture, in place. The digits are drawn here, because a fresh machine has no fonts.
 *
 * Opacity and grain follow a stream of bytes from `seed`, which only a holder of the original can know. Nobody else can
 * compute what was drawn and take it away.
 */
export function drawWatermark(pixels: Pixels, mark: string, seed: Buffer): void {
  const { width, height } = pixels;
  const strokes = strokesOf(width, height, mark);
  const columns = Math.ceil(width / CELL);
  const noise = noiseOf(seed, columns * Math.ceil(height / CELL) * 2);
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = Math.floor(y / CELL) * columns;
    for (let x = 0; x < width; x += 1, at += 1) {
      const cell = (row + Math.floor(x / CELL)) * 2;
      const strength = (noise[cell] ?? 0) / 255;
      const grain = noise[cell + 1] ?? 0;
      const core = (strokes.core[at] ?? 0) / 255;
      const edge = (strokes.edge[at] ?? 0) / 255;
      blend(pixels, at, grain, 0.05 + 0.07 * strength);
      if (edge > 0) blend(pixels, at, 0, edge * (0.3 + 0.35 * strength));
      if (core > 0) blend(pixels, at, 255, core * (0.6 + 0.35 * strength));
    }
  }
}

/** Lays one color over a pixel, which may be transparent. */
function blend({ data, channels }: Pixels, pixel: number, color: number, opacity: number): void {
  const at = pixel * channels;
  const hasAlpha = channels % 2 === 0;
  const colors = hasAlpha ? channels - 1 : channels;
  const below = hasAlpha ? (data[at + colors] ?? 0) / 255 : 1;
  const together = opacity + below * (1 - opacity);
  for (let channel = 0; channel < colors; channel += 1) {
    const old = data[at + channel] ?? 0;
    data[at + channel] = Math.round((color * opacity + old * below * (1 - opacity)) / together);
  }
  if (hasAlpha) data[at + colors] = Math.round(together * 255);
}

/** Returns how much of each pixel the strokes and their edges cover, 0 to 255. */
function strokesOf(width: number, height: number, mark: string): { core: Uint8Array; edge: Uint8Array } {
  const layout = layoutOf(width, height, mark.length);
  const stamp = stampOf(layout, mark);
  const core = new Uint8Array(width * height);
  const edge = new Uint8Array(width * height);
  for (const { left, top } of layout.places)
    for (let y = 0; y < stamp.height; y += 1) {
      const line = top + y - stamp.margin;
      if (line < 0 || line >= height) continue;
      for (let x = 0; x < stamp.width; x += 1) {
        const column = left + x - stamp.margin;
        if (column < 0 || column >= width) continue;
        const [from, to] = [y * stamp.width + x, line * width + column];
        core[to] = Math.max(core[to] ?? 0, stamp.core[from] ?? 0);
        edge[to] = Math.max(edge[to] ?? 0, stamp.edge[from] ?? 0);
      }
    }
  return { core, edge };
}

/** Draws one mark: light strokes with a dark edge, which is visible on light and on dark pictures. */
function stampOf(layout: Layout, mark: string) {
  const { step, lead, columns, glyphWidth, glyphHeight, markWidth, markHeight } = layout;
  const half = Math.max(0.5, step * 0.06);
  const rim = Math.max(1, step * 0.06);
  const margin = Math.ceil(half + rim + 1);
  const [width, height] = [markWidth + 2 * margin, markHeight + 2 * margin];
  const core = new Uint8Array(width * height);
  const edge = new Uint8Array(width * height);
  const lines = Array.from(mark).flatMap((digit, index) =>
    Array.from(DIGITS[digit] ?? '').map((segment) => {
      const [x1, y1, x2, y2] = SEGMENTS[Number(segment)] ?? SEGMENTS[0];
      const [x, y] = [margin + (index % columns) * step, margin + Math.floor(index / columns) * lead];
      return [x + x1 * glyphWidth, y + y1 * glyphHeight, x + x2 * glyphWidth, y + y2 * glyphHeight] as const;
    }),
  );
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1) {
      const distance = Math.min(...lines.map((line) => distanceTo(line, x, y)));
      const inside = Math.min(1, Math.max(0, half + 0.5 - distance));
      const around = Math.min(1, Math.max(0, half + rim + 0.5 - distance)) - inside;
      core[at] = Math.round(inside * 255);
      edge[at] = Math.round(around * 255);
    }
  return { core, edge, width, height, margin };
}

/** Every segment is horizontal or vertical, and its ends are in order. */
function distanceTo([x1, y1, x2, y2]: readonly [number, number, number, number], x: number, y: number): number {
  return Math.hypot(Math.max(x1 - x, 0, x - x2), Math.max(y1 - y, 0, y - y2));
}

/** Returns bytes that nobody can predict without the seed of 32 bytes. */
function noiseOf(seed: Buffer, length: number): Buffer {
  return createCipheriv('aes-256-ctr', seed, Buffer.alloc(16)).update(Buffer.alloc(length));
}

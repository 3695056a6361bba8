/** Pixels with 1 to 4 channels of 8 bits. An even number of channels ends with the opacity. */
export type Pixels = { data: Buffer; width: number; height: number; channels: number };

/** Strokes of capital letters and digits, between the points 0 to 8 of a grid of 3 × 3. A fresh machine has no fonts. */
const GLYPHS: Record<string, string> = {
  A: '63158 35', B: '6015434876', C: '2068', D: '601576', E: '2068 34', F: '206 34', G: '206854', H: '06 35 28', I: '17',
  J: '2863', K: '06 238', L: '068', M: '60428', N: '6082', O: '02860', P: '60253', Q: '02860 48', R: '60253 48',
  S: '203586', T: '02 17', U: '0682', V: '072', W: '06482', X: '08 26', Y: '042 47', Z: '0268', 0: '02860 26', 1: '317',
  2: '025368', 3: '0286 35', 4: '035 28', 5: '203586', 6: '206853', 7: '027', 8: '02860 35', 9: '530286', '-': '35',
}; // prettier-ignore

const LIGHT = 0.15;
const DARK = 0.12;
/** The part of the diagonal that the text fills, and its highest letters as a part of the diagonal. */
const FILLED = 0.8;
const MOST_HEIGHT = 1 / 14;
/** The width of a letter, and from one letter to the next, as parts of its height. */
const GLYPH_WIDTH = 0.6;
const STEP = 0.9;

/**
 * Draws one line of text along the diagonal, in place: light strokes with a dark rim, which show on light and on dark
 * pictures, at low opacity. People judge what is below.
 */
export function drawWatermark(pixels: Pixels, text: string): void {
  const { width, height } = pixels;
  const letters = strokesOf(text);
  const diagonal = Math.hypot(width, height);
  const size = Math.min((diagonal * FILLED) / (letters.length * STEP), diagonal * MOST_HEIGHT);
  const [cos, sin] = [width / diagonal, height / diagonal];
  const half = Math.max(0.04, 0.6 / size);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1) {
      const [right, down] = [x - width / 2, y - height / 2];
      // The line rises from the lower left corner. Along and across it, in heights of a letter.
      const across = (right * sin + down * cos) / size + 0.5;
      if (across < -0.2 || across > 1.2) continue;
      const along = (right * cos - down * sin) / size + (letters.length * STEP) / 2;
      const place = Math.floor(along / STEP);
      const distance = distanceTo(letters[place] ?? [], (along - place * STEP) / GLYPH_WIDTH, across);
      if (distance < half) blend(pixels, at, 255, LIGHT);
      else if (distance < 2 * half) blend(pixels, at, 0, DARK);
    }
}

type Stroke = readonly [x1: number, y1: number, x2: number, y2: number];

function strokesOf(text: string): Stroke[][] {
  const letters = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  return Array.from(letters).map((letter) =>
    (GLYPHS[letter] ?? '').split(' ').flatMap((line) =>
      Array.from(line)
        .slice(1)
        .map((end, index) => stroke(line[index] ?? end, end)),
    ),
  );
}

function stroke(from: string, to: string): Stroke {
  const point = (name: string) => [(Number(name) % 3) / 2, Math.floor(Number(name) / 3) / 2] as const;
  return [...point(from), ...point(to)];
}

/** Returns the distance of a point of a letter from its nearest stroke, in heights of the letter. */
function distanceTo(strokes: Stroke[], x: number, y: number): number {
  let least = Infinity;
  for (const [x1, y1, x2, y2] of strokes) {
    const [dx, dy] = [(x2 - x1) * GLYPH_WIDTH, y2 - y1];
    const [px, py] = [(x - x1) * GLYPH_WIDTH, y - y1];
    const part = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
    least = Math.min(least, Math.hypot(px - part * dx, py - part * dy));
  }
  return least;
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

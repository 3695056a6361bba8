import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { OverlayOptions } from 'sharp';
import { answerJobs, openPicture } from './decode-worker.ts';
import type { ShareJob } from './share-picture-renderer.ts';

/** Draws pictures of link previews, one at a time. Runs in a process of decode-process.ts. */

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 64;
/** The right part: a picture of an entry, or bands of color. */
const PICTURE_LEFT = 680;
const TEXT_WIDTH = PICTURE_LEFT - 2 * MARGIN;
const PAPER = '#faf8f4';
const INK = '#1c1a17';
const SOFT_INK = '#5f594f';
const TITLE_TOP = 150;
const TITLE_HEIGHT = 290;
// Longer titles are cut, so that the drawing of a title is bounded.
const MOST_TITLE = 110;
const MOST_LINE = 60;
const BANDS = 7;
const NAMED_COLORS = ['#1f3a5f', '#8a3b12', '#2d4739', '#6a2c52', '#b5892b', '#3a3a3a', '#9c2f2f', '#28646b'];

// A fresh machine has no fonts. This one covers Latin, Greek, and Cyrillic; the machine's own fonts cover the rest.
const FONT = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSerif-Bold.ttf'));
const SANS = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));

type Text = { text: string; font: string; fontfile: string; color: string; height?: number };

async function draw({ bytes, site, title, lines, accent, colors }: ShareJob) {
  const side = bytes.length > 0 ? await pictureOf(bytes) : bandsOf(title, colors);
  const layers: OverlayOptions[] = [
    { ...side, left: PICTURE_LEFT, top: 0 },
    { ...filled(accent, 72, 8), left: MARGIN, top: MARGIN },
    {
      ...(await written({
        text: cut(site, MOST_LINE),
        font: 'DejaVu Sans 26',
        fontfile: SANS,
        color: SOFT_INK,
        height: 40,
      })),
      left: MARGIN,
      top: MARGIN + 26,
    },
    {
      ...(await written({
        text: cut(title, MOST_TITLE),
        font: 'DejaVu Serif Bold 46',
        fontfile: FONT,
        color: INK,
        height: TITLE_HEIGHT,
      })),
      left: MARGIN,
      top: TITLE_TOP,
    },
  ];
  for (const [index, line] of lines.slice(0, 2).entries()) {
    const text = {
      text: cut(line, MOST_LINE),
      font: index === 0 ? 'DejaVu Sans 34' : 'DejaVu Sans 26',
      fontfile: SANS,
    };
    const drawn = await written({ ...text, color: index === 0 ? accent : SOFT_INK, height: 44 });
    layers.push({ ...drawn, left: MARGIN, top: HEIGHT - MARGIN - 100 + index * 58 });
  }
  const canvas = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: PAPER } });
  const drawable = layers.filter(({ raw }) => raw !== undefined && raw.width > 0 && raw.height > 0);
  const jpeg = await canvas.composite(drawable).jpeg({ quality: 82, mozjpeg: true }).toBuffer();
  return { ok: true as const, jpeg };
}

/** The whole copy of an entry, on a ground of its own blurred colors. */
async function pictureOf(bytes: Uint8Array): Promise<OverlayOptions> {
  const size = { width: WIDTH - PICTURE_LEFT, height: HEIGHT };
  const ground = await openPicture(bytes)
    .resize({ ...size, fit: 'cover' })
    .blur(24)
    .modulate({ brightness: 0.8 })
    .removeAlpha()
    .raw()
    .toBuffer();
  const whole = await openPicture(bytes)
    .resize({ width: size.width - 48, height: size.height - 48, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = whole.info;
  const data = await sharp(ground, { raw: { ...size, channels: 3 } })
    .composite([{ input: whole.data, raw: { width, height, channels }, gravity: 'centre' }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { input: data, raw: { ...size, channels: 3 } };
}

/** Slanted bands in the colors of the brief. The title decides their order, so a picture never changes by itself. */
function bandsOf(title: string, given: string[]): OverlayOptions {
  const [width, height] = [WIDTH - PICTURE_LEFT, HEIGHT];
  const seed = createHash('sha256').update(title).digest();
  const known = given.filter((color) => /^#[0-9a-f]{6}$/i.test(color));
  const colors = known.length > 1 ? known : [...known, ...NAMED_COLORS];
  const bands = Array.from({ length: BANDS }, (_, index) =>
    rgbOf(colors[((seed[index] ?? 0) + index) % colors.length] ?? INK),
  );
  const data = Buffer.alloc(width * height * 3);
  const slant = ((seed[BANDS] ?? 0) / 255) * 0.8 + 0.3;
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 3) {
      const place = Math.floor(((x + y * slant) / (width + height * slant)) * BANDS);
      const [red = 0, green = 0, blue = 0] = bands[Math.min(place, BANDS - 1)] ?? [];
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
    }
  return { input: data, raw: { width, height, channels: 3 } };
}

function filled(color: string, width: number, height: number): OverlayOptions {
  const data = Buffer.alloc(width * height * 3);
  const channels = rgbOf(color);
  for (let at = 0; at < data.length; at += 1) data[at] = channels[at % 3] ?? 0;
  return { input: data, raw: { width, height, channels: 3 } };
}

/** Draws text in lines. Text that is too high becomes smaller. */
async function written({ text, font, fontfile, color, height = 0 }: Text): Promise<OverlayOptions> {
  const shown = text.replaceAll(/\p{C}+/gu, ' ').trim();
  // Without a letter, there is nothing to draw, and Pango refuses it.
  if (shown === '') return {};
  const draft = {
    text: `<span foreground="${color}">${escaped(shown)}</span>`,
    fontfile,
    rgba: true,
    wrap: 'word-char' as const,
  };
  let drawn = await sharp({ text: { ...draft, font, width: TEXT_WIDTH, dpi: 72 } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (drawn.info.height > height || drawn.info.width > TEXT_WIDTH)
    drawn = await sharp({ text: { ...draft, font: font.replace(/ \d+$/, ''), width: TEXT_WIDTH, height } })
      .raw()
      .toBuffer({ resolveWithObject: true });
  const { width, height: high, channels } = drawn.info;
  return { input: drawn.data, raw: { width, height: high, channels } };
}

/** Pango reads markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function cut(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

function rgbOf(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

answerJobs((message) => message as ShareJob, draw);

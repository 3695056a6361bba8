import sharp from 'sharp';
import type { Rgb } from './color.ts';
import { type Random, seeded } from './random.ts';

export type Size = { width: number; height: number };

/** The result of a style: vectors that sharp rasterizes, or finished pixels (three bytes each). */
export type Drawing = { svg: string } | { pixels: Uint8Array };

export type Style = {
  draw(random: Random, size: Size): Drawing;
  /** Final effects on the pixels: paper grain, relief, and a darker rim. */
  finish?: { grain?: number; relief?: number; vignette?: number };
};

export type Encoding = 'png' | 'jpeg' | 'webp';

/** Draws in the style and encodes the picture. The same seed gives the same bytes. */
export async function paint(style: Style, seed: string, size: Size, encoding: Encoding): Promise<Buffer> {
  const random = seeded(seed);
  const pixels = await rasterize(style.draw(random, size), size);
  finish(pixels, size, random, style.finish ?? {});
  const picture = sharp(pixels, { raw: { ...size, channels: 3 } });
  if (encoding === 'jpeg')
    return await picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4', mozjpeg: false }).toBuffer();
  if (encoding === 'webp') return await picture.webp({ quality: 90, effort: 2 }).toBuffer();
  return await picture.png({ compressionLevel: 6 }).toBuffer();
}

async function rasterize(drawing: Drawing, { width, height }: Size): Promise<Uint8Array> {
  if ('pixels' in drawing) return drawing.pixels;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawing.svg}</svg>`;
  return await sharp(Buffer.from(svg), { unlimited: true }).removeAlpha().toColourspace('srgb').raw().toBuffer();
}

/** Draws a picture by asking for the color of every pixel. */
export function shade({ width, height }: Size, colorAt: (x: number, y: number) => Rgb): Drawing {
  const pixels = new Uint8ClampedArray(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = colorAt(x, y);
      pixels[at++] = r;
      pixels[at++] = g;
      pixels[at++] = b;
    }
  }
  return { pixels: new Uint8Array(pixels.buffer) };
}

function finish(
  pixels: Uint8Array,
  { width, height }: Size,
  random: Random,
  { grain = 0, relief = 0, vignette = 0 }: NonNullable<Style['finish']>,
): void {
  if (!grain && !relief && !vignette) return;
  const before = relief ? pixels.slice() : pixels;
  const luma = (at: number) => ((before[at] ?? 0) * 3 + (before[at + 1] ?? 0) * 6 + (before[at + 2] ?? 0)) / 10;
  const row = width * 3;
  const reliefAt = (x: number, y: number, at: number) => {
    const isEdge = x === 0 || y === 0 || x === width - 1 || y === height - 1;
    return isEdge ? 0 : relief * (luma(at + row + 3) - luma(at - row - 3));
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * row + x * 3;
      let added = grain ? (random.next() + random.next() - 1) * 255 * grain : 0;
      if (relief) added += reliefAt(x, y, at);
      const dx = (x / width - 0.5) * 2;
      const dy = (y / height - 0.5) * 2;
      const scale = 1 - vignette * (dx * dx + dy * dy) ** 1.4 * 0.38;
      for (let channel = at; channel < at + 3; channel++) {
        pixels[channel] = Math.min(255, Math.max(0, (pixels[channel] ?? 0) * scale + added));
      }
    }
  }
}

import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Draws a test picture: disks on a color gradient. Each seed gives a different picture. */
export function draw(seed: number, width = 300, height = 200): Sharp {
  const discs = Array.from({ length: 6 }, (_, index) => ({
    x: noise(seed * 31 + index * 7) * width,
    y: noise(seed * 37 + index * 11) * height,
    radius: (0.1 + 0.25 * noise(seed * 41 + index * 13)) * height,
    colour: [0, 1, 2].map((channel) => Math.floor(noise(seed * 43 + index * 17 + channel) * 256)),
  }));
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const disc = discs.find((each) => Math.hypot(x - each.x, y - each.y) < each.radius);
      const ground = [(x * 255) / width, (y * 255) / height, noise(seed) * 255];
      for (let channel = 0; channel < 3; channel++)
        pixels[(y * width + x) * 3 + channel] = disc?.colour[channel] ?? ground[channel] ?? 0;
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Returns a number between 0 and 1, always the same for one seed. */
function noise(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43758.5453;
  return value - Math.floor(value);
}

/** Adds a chunk to a PNG, before its first picture data. */
export function withPngChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const at = png.indexOf('IDAT') - 4;
  return Buffer.concat([png.subarray(0, at), pngChunk(type, data), png.subarray(at)]);
}

/** Changes the size that a PNG claims, with a correct checksum of its header. */
export function withPngSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Repeats the last scan of a progressive JPEG `times` more times. */
export function withRepeatedScan(progressive: Buffer, times: number): Buffer {
  const last = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
  const end = progressive.length - 2;
  const scan = progressive.subarray(last, end);
  return Buffer.concat([
    progressive.subarray(0, end),
    ...Array.from({ length: times }, () => scan),
    progressive.subarray(end),
  ]);
}

import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Draws a test picture: disks on a color gradient. Each seed gives a different picture. */
export function draw(seed: number, width = 300, height = 200): Sharp {
  const discs = Array.from({ length: 6 }, (_, index) => ({
    x: noise(seed * 31 + index * 7) * width,
    y: noise(seed * 37 + index * 11) * height,
    radius: (0.1 + 0.25 * noise(seed * 41 + index * 13)) * height,
    color: [0, 1, 2].map((channel) => Math.floor(noise(seed * 43 + index * 17 + channel) * 256)),
  }));
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const disc = discs.find((each) => Math.hypot(x - each.x, y - each.y) < each.radius);
      const ground = [(x * 255) / width, (y * 255) / height, noise(seed) * 255];
      for (let channel = 0; channel < 3; channel++)
        pixels[(y * width + x) * 3 + channel] = disc?.color[channel] ?? ground[channel] ?? 0;
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

/**
 * Returns a legal gray progressive JPEG of 2048 × 2048 px with so many scans, at most 2,640: one for each coefficient,
 * component, and bit. It has 24 KB and 15 bytes a scan.
 */
export function jpegOfScans(scans: number): Buffer<ArrayBuffer> {
  const side = 2048;
  const components = [1, 2, 3];
  const segment = (marker: number, ...bytes: number[]) =>
    Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes]);
  const lengths = (...counts: number[]) => Array.from({ length: 16 }, (_, index) => counts[index] ?? 0);
  const frame = [8, side >> 8, side & 0xff, side >> 8, side & 0xff, components.length];
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    segment(0xc2, ...frame, ...components.flatMap((id) => [id, 0x11, 0])),
    // One code for "no difference", and two for runs of empty blocks: of 32,767, and of 2.
    segment(0xc4, 0x00, ...lengths(1), 0),
    segment(0xc4, 0x10, ...lengths(1, 1), 0xe0, 0x10),
    segment(0xda, components.length, ...components.flatMap((id) => [id, 0]), 0, 0, 0),
    Buffer.alloc((components.length * side * side) / 64 / 8),
  ];
  const emptyBlocks = Buffer.from([0x7f, 0xfe, 0xff, 0x00, 0xfe, 0x7f]);
  for (let scan = 0; scan < scans - 1; scan += 1) {
    const bit = 13 - (scan % 14);
    const coefficient = 1 + (Math.floor(scan / 14) % 63);
    const id = components[Math.floor(scan / 14 / 63)] ?? 1;
    parts.push(
      segment(0xda, 1, id, 0, coefficient, coefficient, bit === 13 ? bit : ((bit + 1) << 4) | bit),
      emptyBlocks,
    );
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

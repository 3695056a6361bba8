import type { ImageType } from './types.ts';

/** The accepted types as the decoder names them. */
export const FORMATS: Record<ImageType, string> = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' };

export type ImageHeader = { width: number; height: number; animated: boolean };

/** Recognizes a file by its first bytes: an accepted type, the name of another type, or null. */
export function sniff(bytes: Buffer): { type: ImageType } | { other: string } | null {
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return { type: 'image/jpeg' };
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return { type: 'image/png' };
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return { type: 'image/webp' };
  if (startsWith(bytes, 0, 'GIF8')) return { other: 'a GIF picture' };
  if (startsWith(bytes, 0, 'II*\0') || startsWith(bytes, 0, 'MM\0*')) return { other: 'a TIFF picture' };
  if (startsWith(bytes, 0, 'BM')) return { other: 'a BMP picture' };
  if (startsWith(bytes, 4, 'ftyp')) return { other: 'a HEIC, AVIF or MP4 file' };
  if (startsWith(bytes, 0, '%PDF')) return { other: 'a PDF document' };
  if (startsWith(bytes, 0, 'PK\x03\x04')) return { other: 'a ZIP archive' };
  if (/^(?:\xef\xbb\xbf)?\s*</.test(bytes.toString('latin1', 0, 64))) return { other: 'an SVG, XML or HTML text' };
  return null;
}

// The header is read on the main thread, and 20 MB of empty parts would block it for 0.6 s. Real files have a few
// dozen.
const MAX_PARTS = 1_000;

/** Reads size and animation from the header, without the decoder. Returns null when the header is incomplete. */
export function readImageHeader(bytes: Buffer, type: ImageType): ImageHeader | null {
  if (type === 'image/png') return readPng(bytes);
  return type === 'image/jpeg' ? readJpeg(bytes) : readWebp(bytes);
}

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

function readPng(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 33 || !startsWith(bytes, 12, 'IHDR')) return null;
  let animated = false;
  let parts = 0;
  // An APNG has an acTL chunk before its first picture data. The decoder would decode the first frame without an error.
  for (let at = 8; at + 8 <= bytes.length && !startsWith(bytes, at + 4, 'IDAT'); at += 12 + bytes.readUInt32BE(at)) {
    if (startsWith(bytes, at + 4, 'acTL')) animated = true;
    if (++parts > MAX_PARTS) return null;
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), animated };
}

const SOS = 0xda;
const EOI = 0xd9;

/** The markers 01 and D0–D8 stand alone. */
function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** C0–CF are frame headers, except the tables C4 and CC and the reserved C8. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readJpeg(bytes: Buffer): ImageHeader | null {
  let at = 2;
  for (let parts = 0; parts <= MAX_PARTS && at + 9 <= bytes.length && bytes[at] === 0xff; parts++) {
    const marker = bytes[at + 1] ?? 0;
    // Any number of FF bytes may precede a marker.
    if (marker === 0xff) at += 1;
    else if (hasNoLength(marker)) at += 2;
    else if (marker === EOI || marker === SOS) return null;
    else if (isFrameHeader(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), animated: false };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Returns the number of scans of a JPEG, at most `most`. Each scan makes the decoder pass over all pixels once more. */
export function countScans(bytes: Buffer, most: number): number {
  let scans = 0;
  for (let at = 2; scans < most;) {
    at = bytes.indexOf(0xff, at);
    const marker = at < 0 ? EOI : (bytes[at + 1] ?? EOI);
    if (marker === EOI) return scans;
    if (marker === SOS) scans += 1;
    // In the data of a scan, 00 follows an FF that is no marker, and FF may fill.
    const isAlone = marker === 0x00 || hasNoLength(marker);
    if (marker === 0xff) at += 1;
    else if (isAlone || at + 4 > bytes.length) at += 2;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return scans;
}

function readWebp(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 30) return null;
  if (startsWith(bytes, 12, 'VP8X'))
    return {
      width: bytes.readUIntLE(24, 3) + 1,
      height: bytes.readUIntLE(27, 3) + 1,
      animated: ((bytes[20] ?? 0) & 0x02) !== 0,
    };
  if (startsWith(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, animated: false };
  }
  if (!startsWith(bytes, 12, 'VP8 ') || !startsWith(bytes, 23, '\x9d\x01\x2a')) return null;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff, animated: false };
}

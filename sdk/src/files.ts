import { ConcoursError } from './errors.ts';
import { hexOf } from './text.ts';

/** A picture: the path of a file (not in browsers), or its bytes. */
export type FileSource = string | Blob | Uint8Array;

/** A picture that is ready to upload. */
export type Picture = { name: string; type: string; bytes: Uint8Array<ArrayBuffer> };

/** The types that the service takes, with their first bytes. WebP has its name at offset 8. */
const kinds = [
  { type: 'image/png', ending: 'png', at: 0, magic: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/jpeg', ending: 'jpg', at: 0, magic: [0xff, 0xd8, 0xff] },
  { type: 'image/webp', ending: 'webp', at: 8, magic: [0x57, 0x45, 0x42, 0x50] },
];

const MOST_BYTES = 20 * 1024 * 1024;

/** Reads a picture. The type follows from its bytes. @throws ConcoursError FILE_INVALID */
export async function readPicture(source: FileSource, item: number): Promise<Picture> {
  const { name, bytes } = await read(source);
  const kind = kinds.find(({ at, magic }) => magic.every((byte, index) => bytes[at + index] === byte));
  if (!kind) throw invalid(`${name ?? `file ${item}`} is not a PNG, JPEG, or WebP picture`);
  if (bytes.length > MOST_BYTES) throw invalid(`${name ?? `file ${item}`} has more than 20 MB`);
  return { name: nameOf(name, kind.ending, item), type: kind.type, bytes };
}

async function read(source: FileSource): Promise<{ name?: string; bytes: Uint8Array<ArrayBuffer> }> {
  // A copy, so that the caller may change its bytes meanwhile.
  if (source instanceof Uint8Array) return { bytes: new Uint8Array(source) };
  try {
    if (typeof source !== 'string') {
      const bytes = new Uint8Array(await source.arrayBuffer());
      return 'name' in source && typeof source.name === 'string' ? { name: source.name, bytes } : { bytes };
    }
    const { readFile } = await import('node:fs/promises');
    return { name: source.split(/[/\\]/).at(-1) ?? source, bytes: new Uint8Array(await readFile(source)) };
  } catch (cause) {
    throw invalid(`the file cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

/** The service takes names of 3 to 255 characters with an ending. */
function nameOf(name: string | undefined, ending: string, item: number): string {
  const stem = (name ?? '')
    .replace(/\.[A-Za-z0-9]{1,10}$/, '')
    // eslint-disable-next-line no-control-regex -- control characters are what is removed
    .replaceAll(/[/\\\u0000-\u001f\u007f]/g, '')
    .trim()
    .slice(0, 200);
  return `${stem || `item-${item}`}.${ending}`;
}

function invalid(why: string, cause?: unknown): ConcoursError {
  return new ConcoursError('FILE_INVALID', `${why}. Nothing was paid.`, { cause });
}

/** Returns the SHA-256 in hex. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', bytes));
}

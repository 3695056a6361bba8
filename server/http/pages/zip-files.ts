import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { readOriginal, type JudgedFile } from '../../pictures/public.ts';
import type { Storage } from '../../ports/storage.ts';

export type ZippedFile = JudgedFile & { name: string; modifiedAt: Date };

/**
 * Returns a ZIP of originals as a stream, with its exact length. Pictures are compressed already, so they are stored as they
 * are. One file is read at a time, a part at a time.
 */
export function zipOf(storage: Storage, files: ZippedFile[]): { body: Readable; sizeBytes: number } {
  const zip = new ZipFile();
  const body = zip.outputStream;
  if (!(body instanceof Readable)) throw new TypeError('yazl gave a stream of another kind');
  zip.on('error', (error: Error) => body.destroy(error));
  // The file that is being read.
  let current: Readable | null = null;
  body.once('close', () => current?.destroy());
  for (const file of files) {
    const options = { size: file.sizeBytes, mtime: file.modifiedAt, mode: 0o100644, compress: false };
    zip.addReadStreamLazy(file.name, options, (use) => {
      current = Readable.from(slices(readOriginal(storage, file)));
      current.once('error', (error) => body.destroy(error));
      use(null, current);
    });
  }
  let sizeBytes = -1;
  // The types of yazl omit the size, which it passes at once because every length is known.
  const end = zip.end.bind(zip) as (options: object, sized: (bytes: number) => void) => void;
  end({}, (bytes) => (sizeBytes = bytes));
  return { body, sizeBytes };
}

/** Small chunks, because each stage of the ZIP holds a few of them. */
async function* slices(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) for (let at = 0; at < part.length; at += 65_536) yield part.subarray(at, at + 65_536);
}

import type { PartMemory } from '../../ports/pictures.ts';
import { readOriginal, type JudgedFile } from '../../pictures/public.ts';
import type { Storage } from '../../ports/storage.ts';

/** A file of a ZIP. `crc32` is that of its judged bytes. */
export type ZippedFile = JudgedFile & { name: string; modifiedAt: Date; crc32: number };

// The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (sections 4.3.7, 4.3.12, and 4.3.16).
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const VERSION = 20;
const MADE_ON_UNIX = 3 << 8;
const NAMES_ARE_UTF8 = 0x0800;
const STORED = 0;
const READABLE_FILE = (0o100644 << 16) >>> 0;
// Larger archives need ZIP64. An entry has at most 20 files of 20 MB.
const MOST_BYTES = 0xffffffff;

/**
 * Returns a ZIP of originals as parts, with its exact length. Pictures are compressed already, so they are stored as they
 * are. The ZIP is made here, because a library's streams hold parts that the next read would overwrite.
 */
export function zipOf(
  storage: Storage,
  files: ZippedFile[],
  memory: PartMemory,
): { parts: AsyncIterable<Buffer>; sizeBytes: number } {
  const local = files.map((file) => localHeader(file));
  let offset = 0;
  const central = files.map((file, index) => {
    const header = centralHeader(file, offset);
    offset += (local[index]?.length ?? 0) + file.sizeBytes;
    return header;
  });
  const directory = Buffer.concat(central);
  const end = endOfDirectory({ count: files.length, bytes: directory.length, offset });
  const sizeBytes = offset + directory.length + end.length;
  if (sizeBytes > MOST_BYTES) throw new RangeError('the ZIP is too large');
  async function* parts(): AsyncGenerator<Buffer> {
    for (const [index, file] of files.entries()) {
      yield local[index] ?? Buffer.alloc(0);
      yield* readOriginal(storage, file, memory);
    }
    yield Buffer.concat([directory, end]);
  }
  return { parts: parts(), sizeBytes };
}

function localHeader(file: ZippedFile): Buffer {
  const name = Buffer.from(file.name);
  const header = Buffer.alloc(30 + name.length);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  writeFacts(header.subarray(6), file, name.length);
  name.copy(header, 30);
  return header;
}

function centralHeader(file: ZippedFile, offset: number): Buffer {
  const name = Buffer.from(file.name);
  const header = Buffer.alloc(46 + name.length);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(MADE_ON_UNIX | VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  writeFacts(header.subarray(8), file, name.length);
  header.writeUInt32LE(READABLE_FILE, 38);
  header.writeUInt32LE(offset, 42);
  name.copy(header, 46);
  return header;
}

/** The members that both headers have, in the same order. */
function writeFacts(facts: Buffer, { crc32, sizeBytes, modifiedAt }: ZippedFile, nameBytes: number): void {
  facts.writeUInt16LE(NAMES_ARE_UTF8, 0);
  facts.writeUInt16LE(STORED, 2);
  facts.writeUInt16LE((modifiedAt.getUTCHours() << 11) | (modifiedAt.getUTCMinutes() << 5), 4);
  const day = (modifiedAt.getUTCFullYear() - 1980) << 9;
  facts.writeUInt16LE(day | ((modifiedAt.getUTCMonth() + 1) << 5) | modifiedAt.getUTCDate(), 6);
  facts.writeUInt32LE(crc32, 8);
  facts.writeUInt32LE(sizeBytes, 12);
  facts.writeUInt32LE(sizeBytes, 16);
  facts.writeUInt16LE(nameBytes, 20);
}

function endOfDirectory({ count, bytes, offset }: { count: number; bytes: number; offset: number }): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

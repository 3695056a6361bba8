import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import { tableOf } from '../output/table.ts';

/** Writes the files of a delivery and its manifest. A file with the same content stays; another one is never replaced. */
export async function download(context: Context, project: string, folder: string): Promise<void> {
  const { files, manifest } = await (await context.poster()).delivery(project);
  await mkdir(folder, { recursive: true });
  const written: { file: string; sha256: string | null }[] = [];
  for (const { item, file_name: name, sha256, read } of files) {
    const file = join(folder, safeName(name, item, files.length));
    await write(file, await read());
    written.push({ file, sha256 });
  }
  if (manifest !== null) {
    const file = join(folder, 'manifest.jwt');
    await write(file, Buffer.from(manifest));
    written.push({ file, sha256: null });
  }
  context.print(written, () => tableOf(written, { FILE: ({ file }) => file, 'SHA-256': ({ sha256 }) => sha256 }));
}

/** A stranger chose the name: it must not leave the folder, hide, or replace the manifest. */
function safeName(name: string, item: number, count: number): string {
  const safe = basename(name.replaceAll('\\', '/')).replaceAll(/[\p{Cc}\p{Bidi_Control}<>:"|?*]/gu, '_');
  const plain = /^[.-]|^manifest\.jwt$|^$/i.test(safe) ? `_${safe}` : safe;
  return count === 1 ? plain : `${item}-${plain}`;
}

/** A file gets its name when it is whole. Not with a hard link, which some file systems lack. */
async function write(file: string, content: Uint8Array): Promise<void> {
  if (existsSync(file)) {
    if (Buffer.compare(await readFile(file), content) === 0) return;
    throw new UsageError(`${file} exists with another content. Move it away, or choose another folder.`);
  }
  const draft = join(dirname(file), `.${randomUUID()}`);
  try {
    await writeFile(draft, content, { flag: 'wx' });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

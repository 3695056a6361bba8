import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../exit-codes.ts';

const ONLY_OWNER = 0o600;
const OTHERS = 0o077;

/** Reads a JSON file that only its owner may read. Null if there is none. @throws UsageError if others can read it */
export async function readSecretFile<T>(path: string): Promise<T | null> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new UsageError(`Other users of this computer can read ${path}. Run: chmod 600 ${path}`);
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    if (error instanceof SyntaxError) throw new UsageError(`${path} is damaged: it is not JSON.`);
    throw error;
  }
}

/**
 * Writes a JSON file that only its owner may read: completely or not at all.
 *
 * @returns false if `unlessExists` is set, and another process has created the file
 */
export async function writeSecretFile(path: string, value: unknown, { unlessExists = false } = {}): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', ONLY_OWNER);
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await (unlessExists ? link : rename)(draft, path);
    return true;
  } catch (error) {
    if (unlessExists && error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

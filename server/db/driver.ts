import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Postgres from 'postgres';
import { applyPatch } from './patch.ts';

const PATCHES = join(import.meta.dirname, '..', '..', 'patches');
const PATCHED_FOLDER = 'node_modules/postgres/cjs/src/';
const PATCHED_FILES = ['queue.js', 'connection.js', 'index.js'];

/**
 * Loads postgres.js with `patches/postgres+VERSION.patch`, which keeps a busy pool from slowing down, and lets a pool
 * send one statement at a time (`patches/README.md`). Node applies the patch while it loads the module, so
 * `node_modules` stays as npm installed it.
 *
 * @throws Error when the installed version has no patch, or when the patch does not fit it
 */
function loadDriver(): typeof Postgres {
  const load = createRequire(import.meta.url);
  const folder = join(dirname(load.resolve('postgres')), '..', '..');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const patchFile = join(PATCHES, `postgres+${version}.patch`);
  if (!existsSync(patchFile)) throw new Error(`postgres ${version} has no patch; patches/README.md says what to do`);
  const patch = readFileSync(patchFile, 'utf8');
  const urlOf = (file: string) => pathToFileURL(join(folder, 'cjs', 'src', file)).href;
  const left = new Map(PATCHED_FILES.map((file) => [urlOf(file), PATCHED_FOLDER + file]));
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = left.get(url);
      if (file === undefined || typeof loaded.source !== 'string') return loaded;
      left.delete(url);
      return { ...loaded, source: applyPatch(loaded.source, patch, file) };
    },
  });
  try {
    const driver = load('postgres') as typeof Postgres;
    if (left.size > 0) throw new Error('another module loaded postgres before server/db/driver.ts could patch it');
    return driver;
  } finally {
    hooks.deregister();
  }
}

/** postgres.js for the whole server. Errors are instances of its `PostgresError`; another copy has another class. */
export const postgres = loadDriver();

/** Returns whether a statement failed because the disk of the database is full. Reads go on, so no probe notices. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '53100';

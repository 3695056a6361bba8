import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Postgres from 'postgres';
import { applyPatch } from './patch.ts';

const PATCHES = join(import.meta.dirname, '..', '..', 'patches');
const PATCHED_FILE = 'node_modules/postgres/cjs/src/queue.js';

/**
 * Loads postgres.js with `patches/postgres+VERSION.patch`, which keeps a busy pool from slowing down
 * (`patches/README.md`). Node applies the patch while it loads the module, so `node_modules` stays as npm installed it.
 *
 * @throws Error when the installed version has no patch, or when the patch does not fit it
 */
function loadDriver(): typeof Postgres {
  const load = createRequire(import.meta.url);
  const folder = join(dirname(load.resolve('postgres')), '..', '..');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const patchFile = join(PATCHES, `postgres+${version}.patch`);
  if (!existsSync(patchFile)) throw new Error(`postgres ${version} has no patch; patches/README.md says what to do`);
  const queueUrl = pathToFileURL(join(folder, 'cjs', 'src', 'queue.js')).href;
  let isPatched = false;
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== queueUrl || typeof loaded.source !== 'string') return loaded;
      isPatched = true;
      return { ...loaded, source: applyPatch(loaded.source, readFileSync(patchFile, 'utf8'), PATCHED_FILE) };
    },
  });
  try {
    const driver = load('postgres') as typeof Postgres;
    if (!isPatched) throw new Error('another module loaded postgres before server/db/driver.ts could patch it');
    return driver;
  } finally {
    hooks.deregister();
  }
}

/** postgres.js for the whole server. Errors are instances of its `PostgresError`; another copy has another class. */
export const postgres = loadDriver();

import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROOT } from './versions.ts';

const LEFT_OUT = new Set(['node_modules', '.git']);

/**
 * A hot table gets a column by `expand`, and loses it again by `contract`. The contract raises the lowest version, as
 * each does. The names sort after those of all other migrations.
 */
const plantedFor = (version: string) => ({
  '9998_planted_column.sql': `-- Kind: expand\nalter table submissions add column planted text not null default 'planted';\n`,
  '9999_no_planted_column.sql': `-- Kind: contract, serves ${version}\nalter table submissions drop column planted;\n`,
});

/**
 * Copies the working tree to a folder, as a version that follows it, with one more migration of each kind. So every run
 * has a contract phase, whether or not this version brings a migration that contracts.
 */
export async function nextVersion(folder: string): Promise<void> {
  await cp(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const manifest = join(folder, 'package.json');
  const { version, ...others } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const next = `${major}.${minor + 1}.0`;
  await writeFile(manifest, JSON.stringify({ ...others, version: next }));
  for (const [name, sql] of Object.entries(plantedFor(next)))
    await writeFile(join(folder, 'server', 'migrations', name), sql);
}

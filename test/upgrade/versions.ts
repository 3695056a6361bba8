import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const ROOT = join(import.meta.dirname, '..', '..');
/** The version before, until the first release has a tag: the last commit without kinds of migrations (docs/versions.md). */
const BASE = '453c80b926593f01d53408d6f8880786d57b5a91';

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: ROOT });
  return stdout.trim();
}

/** Returns the commit of the last release before HEAD, or null where this copy of the repository has no history. */
export async function versionBefore(): Promise<string | null> {
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => BASE);
  return await commitOf(tag).catch(() => null);
}

/** Returns the full name of a commit that this copy of the repository has. */
export async function commitOf(ref: string): Promise<string> {
  return await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
}

/** Writes the files of a commit to a folder, which uses the installed packages of this one. */
export async function unpack(commit: string, folder: string): Promise<void> {
  await mkdir(folder);
  const archive = `${folder}.tar`;
  await git('archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

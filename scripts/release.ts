// npm run release -- major|minor|patch|X.Y.Z: writes the version and the changelog, commits them, and tags the commit. A second
// commit begins the next version. Only local git operations: look at the commits, then push them with the tag.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextVersion, releasedChangelog, withChartVersion, withPackedNames, withVersion } from './release-texts.ts';

/** The packages that have the version of the service. */
const MANIFESTS = ['package.json', 'package-lock.json', 'cli/package.json', 'sdk/package.json'];
/** The pages that name packed packages. */
const PAGES = ['README.md', 'cli/README.md', 'sdk/README.md'];
const CHART = 'deploy/chart/Chart.yaml';

/** Releases the repository in `root`. Returns the name of the tag. @throws Error when there is nothing to release */
export function release(root: string, wanted: string, today: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  if (git('status', '--porcelain') !== '')
    throw new Error('there are changes that are not committed. Commit them first.');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const next = nextVersion(version, wanted);
  const tag = `v${next}`;
  if (git('tag', '--list', tag) !== '') throw new Error(`the tag ${tag} exists`);
  const changelog = releasedChangelog(read('CHANGELOG.md'), next, today);
  const write = (newVersion: string) => {
    for (const file of MANIFESTS) writeFileSync(join(root, file), withVersion(read(file), newVersion));
    for (const file of PAGES) writeFileSync(join(root, file), withPackedNames(read(file), newVersion));
    writeFileSync(join(root, CHART), withChartVersion(read(CHART), newVersion));
  };
  write(next);
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  git('commit', '--quiet', '--all', '--message', `release ${next}`, '--message', 'CHANGELOG.md lists its changes.');
  git('tag', '--annotate', tag, '--message', `Concours ${next}`);
  const following = `${nextVersion(next, 'patch')}-dev`;
  write(following);
  git(
    'commit',
    '--quiet',
    '--all',
    '--message',
    `begin ${following}`,
    '--message',
    `Code after ${next} is not ${next}.`,
  );
  return tag;
}

if (import.meta.main) {
  try {
    const today = new Date().toISOString().slice(0, 10);
    const tag = release(join(import.meta.dirname, '..'), process.argv[2] ?? '', today);
    console.log(`Tagged ${tag}. To publish it: git push origin HEAD ${tag}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

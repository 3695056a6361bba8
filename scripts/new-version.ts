// `npm version minor` runs this between its change of package.json and its commit: the other places of the version follow.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** The files beside package.json and its lock file, each with the text that holds the version. */
const places: [file: string, old: RegExp, text: string][] = [
  ['cli/package.json', /"version": "[^"]+"/, `"version": "${version}"`],
  ['sdk/package.json', /"version": "[^"]+"/, `"version": "${version}"`],
  ['deploy/chart/Chart.yaml', /^(version|appVersion): .*$/gm, `$1: ${version}`],
  ...['README.md', 'cli/README.md', 'sdk/README.md'].map((page): [string, RegExp, string] => [
    page,
    /\bconcours-(sdk|cli)-[\w.-]+?\.tgz\b/g,
    `concours-$1-${version}.tgz`,
  ]),
];
// The unreleased changes become those of a release, and not of a version before one, such as 1.1.0-dev.0.
if (!version.includes('-')) {
  const today = new Date().toISOString().slice(0, 10);
  places.push(['CHANGELOG.md', /^## \[Unreleased\]$/m, `## [Unreleased]\n\n## [${version}] - ${today}`]);
}

for (const [file, old, text] of places) writeFileSync(join(ROOT, file), read(file).replace(old, text));
execFileSync('git', ['add', ...places.map(([file]) => file)], { cwd: ROOT });

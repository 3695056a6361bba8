const VERSION = /^(\d+)\.(\d+)\.(\d+)(-dev)?$/;

/**
 * Returns the version that follows, as npm does: 1.1.0-dev comes before 1.1.0. `wanted`: `major`, `minor`, `patch`, or the
 * version itself. @throws Error otherwise
 */
export function nextVersion(version: string, wanted: string): string {
  const parts = partsOf(version);
  if (!parts) throw new Error(`${version} in package.json is no version of three numbers`);
  const { numbers, isDev } = parts;
  const [major, minor, patch] = numbers;
  if (wanted === 'major') return `${isDev && minor + patch === 0 ? major : major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${isDev && patch === 0 ? minor : minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${isDev ? patch : patch + 1}`;
  return givenVersion(version, wanted, parts);
}

function givenVersion(version: string, wanted: string, { numbers, isDev }: Parts): string {
  const given = partsOf(wanted);
  if (!given || given.isDev) throw new Error('say which version: npm run release -- major|minor|patch|X.Y.Z');
  const difference =
    given.numbers.map((number, index) => number - (numbers[index] ?? 0)).find((each) => each !== 0) ?? 0;
  if (difference < 0 || (difference === 0 && !isDev)) throw new Error(`${wanted} does not follow ${version}`);
  return wanted;
}

type Parts = { numbers: [number, number, number]; isDev: boolean };

function partsOf(version: string): Parts | null {
  const [, major, minor, patch, dev] = VERSION.exec(version) ?? [];
  if (!major || !minor || !patch) return null;
  return { numbers: [Number(major), Number(minor), Number(patch)], isDev: dev !== undefined };
}

/** Gives the unreleased changes their version and day, and begins an empty list. @throws Error when nothing has changed */
export function releasedChangelog(text: string, version: string, today: string): string {
  const [, before, changes, after = ''] = /^([^]*?\n## \[Unreleased\]\n)([^]*?)(\n## [^]*)?$/.exec(text) ?? [];
  if (before === undefined || changes === undefined) throw new Error('CHANGELOG.md has no part [Unreleased]');
  if (!/^- /m.test(changes)) throw new Error('CHANGELOG.md lists no unreleased change');
  return `${before}\n## [${version}] - ${today}\n${changes}${after}`;
}

/** Replaces the version of a package.json, or of the root in package-lock.json, and leaves all else as it is. */
export function withVersion(manifest: string, version: string): string {
  const { version: old, lockfileVersion } = JSON.parse(manifest) as { version: string; lockfileVersion?: number };
  // The lock file says the version twice: at its top, and for its root package.
  const times = lockfileVersion === undefined ? 1 : 2;
  return Array.from({ length: times }).reduce<string>(
    (text) => text.replace(`"version": "${old}"`, `"version": "${version}"`),
    manifest,
  );
}

/** Replaces the version in the names of packed packages, such as `concours-sdk-1.0.0.tgz`. */
export function withPackedNames(text: string, version: string): string {
  return text.replaceAll(/\bconcours-(sdk|cli)-[\w.-]+?\.tgz\b/g, `concours-$1-${version}.tgz`);
}

/** Replaces both versions of a Helm chart: its own, and that of the service that it starts. */
export function withChartVersion(text: string, version: string): string {
  return text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`);
}

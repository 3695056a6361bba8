const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** Returns the version that follows. `wanted`: `major`, `minor`, `patch`, or the version itself. @throws Error otherwise */
export function nextVersion(version: string, wanted: string): string {
  const parts = numbersOf(version);
  if (!parts) throw new Error(`${version} in package.json is no version of three numbers`);
  const [major, minor, patch] = parts;
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  const given = numbersOf(wanted);
  if (!given) throw new Error('say which version: npm run release -- major|minor|patch|X.Y.Z');
  const difference = given.map((number, index) => number - (parts[index] ?? 0)).find((each) => each !== 0) ?? 0;
  if (difference <= 0) throw new Error(`${wanted} does not follow ${version}`);
  return wanted;
}

function numbersOf(version: string): [number, number, number] | null {
  const [, major, minor, patch] = VERSION.exec(version) ?? [];
  return major && minor && patch ? [Number(major), Number(minor), Number(patch)] : null;
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

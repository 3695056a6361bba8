import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { release } from './release.ts';
import { nextVersion } from './release-texts.ts';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## 0.1.0\n\n- The first.\n';
const manifest = JSON.stringify({ name: 'concours', version: '0.2.0-dev', dependencies: { other: '0.1.0' } }, null, 2);
const lock = JSON.stringify(
  {
    name: 'concours',
    version: '0.2.0-dev',
    lockfileVersion: 3,
    packages: { '': { version: '0.2.0-dev' }, 'node_modules/other': { version: '0.1.0' } },
  },
  null,
  2,
);

test('a release writes the version and the changelog, and tags the commit; it changes nothing else', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'concours-release-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (file: string) => git('show', `v0.2.0:${file}`);
  for (const folder of ['cli', 'sdk']) {
    await mkdir(join(root, folder));
    await writeFile(join(root, folder, 'package.json'), manifest);
    await writeFile(join(root, folder, 'README.md'), `npm install ./concours-${folder}-0.2.0-dev.tgz viem\n`);
  }
  await writeFile(join(root, 'package.json'), manifest);
  await writeFile(join(root, 'package-lock.json'), lock);
  await writeFile(join(root, 'CHANGELOG.md'), CHANGELOG);
  await writeFile(join(root, 'README.md'), 'npm install path/to/concours-sdk-0.2.0-dev.tgz viem\n');
  git('init', '--quiet');
  git('config', 'user.name', 'A maintainer');
  git('config', 'user.email', 'maintainer@example.com');
  git('add', '.');
  assert.throws(() => release(root, 'minor', '2026-11-24'), /not committed/);
  git('commit', '--quiet', '--message', 'first');

  assert.equal(release(root, 'minor', '2026-11-24'), 'v0.2.0');
  for (const file of ['package.json', 'cli/package.json', 'sdk/package.json'])
    assert.equal(read(file), manifest.replace('0.2.0-dev', '0.2.0'), file);
  const locked = JSON.parse(read('package-lock.json'));
  assert.deepEqual(
    [locked.version, locked.packages[''].version, locked.packages['node_modules/other'].version],
    ['0.2.0', '0.2.0', '0.1.0'],
  );
  const released = '## [Unreleased]\n\n## [0.2.0] - 2026-11-24\n\n### Added\n\n- A thing.\n\n## 0.1.0\n';
  assert.ok(read('CHANGELOG.md').includes(released), read('CHANGELOG.md'));
  for (const [file, name] of Object.entries({ 'README.md': 'sdk', 'sdk/README.md': 'sdk', 'cli/README.md': 'cli' }))
    assert.ok(read(file).includes(`/concours-${name}-0.2.0.tgz viem`), file);
  assert.equal(git('describe', '--tags', 'HEAD^'), 'v0.2.0');
  assert.equal(git('log', '-1', '--format=%s|%b', 'HEAD^'), 'release 0.2.0|CHANGELOG.md lists its changes.');
  assert.equal(git('log', '-1', '--format=%s|%b'), 'begin 0.2.1-dev|Code after 0.2.0 is not 0.2.0.');
  assert.equal(JSON.parse(git('show', 'HEAD:sdk/package.json')).version, '0.2.1-dev');
  assert.ok(git('show', 'HEAD:README.md').includes('/concours-sdk-0.2.1-dev.tgz viem'));
  assert.equal(git('status', '--porcelain'), '');
  assert.throws(() => release(root, 'patch', '2026-11-25'), /lists no unreleased change/);
});

test('a version follows the one before', () => {
  const next = ['major', 'minor', 'patch', '0.10.0', '1.0.0'].map((wanted) => nextVersion('0.9.3', wanted));
  assert.deepEqual(next, ['1.0.0', '0.10.0', '0.9.4', '0.10.0', '1.0.0']);
  const released = ['major', 'minor', 'patch', '0.2.0'].map((wanted) => nextVersion('0.2.0-dev', wanted));
  assert.deepEqual(released, ['1.0.0', '0.2.0', '0.2.0', '0.2.0']);
  assert.deepEqual([nextVersion('0.2.1-dev', 'minor'), nextVersion('1.0.0-dev', 'major')], ['0.3.0', '1.0.0']);
  assert.throws(() => nextVersion('0.2.0-dev', '0.1.9'));
  for (const wanted of ['0.9.3', '0.8.9', '', 'newest', 'v1.0.0', '1.0.0-dev'])
    assert.throws(() => nextVersion('0.9.3', wanted));
});

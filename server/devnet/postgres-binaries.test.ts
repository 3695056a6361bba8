import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { copyBinaries, usableBinaries } from './postgres-binaries.ts';

/** A package as npm unpacks it with --ignore-scripts: without its symlinks. */
async function unpacked(t: TestContext): Promise<{ native: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-binaries-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const native = join(folder, 'package', 'native');
  await mkdir(join(native, 'lib'), { recursive: true });
  await mkdir(join(native, 'bin'));
  await writeFile(join(folder, 'package', 'package.json'), JSON.stringify({ version: '18.0.0' }));
  await writeFile(join(native, 'bin', 'postgres'), '#!/bin/sh\n', { mode: 0o700 });
  await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  return { native, folder };
}

test('creates the missing symlinks, also from concurrent and repeated starts', async (t) => {
  const { native, folder } = await unpacked(t);
  const all = await Promise.all(Array.from({ length: 5 }, () => usableBinaries(native, folder)));
  assert.deepEqual(new Set(all), new Set([native]));
  assert.equal(await usableBinaries(native, folder), native);
  assert.equal(await readlink(join(native, 'lib', 'libpq.so.5')), 'libpq.so.5.18');
  assert.equal(await readFile(join(native, 'lib', 'libpq.so.5'), 'utf8'), 'library');
});

test('a copy is created once, whole, and readable by the user that runs it', async (t) => {
  const { native, folder } = await unpacked(t);
  const home = join(folder, 'home');
  await mkdir(home);
  const copies = await Promise.all(Array.from({ length: 3 }, () => copyBinaries(native, home)));
  assert.deepEqual(new Set(copies), new Set([join(home, 'postgresql-18.0.0', 'native')]));
  const [copy = ''] = copies;
  assert.equal(await readFile(join(copy, 'lib', 'libpq.so.5'), 'utf8'), 'library');
  assert.equal((await stat(join(copy, 'bin', 'postgres'))).mode & 0o777, 0o755);
  assert.equal((await stat(join(copy, 'lib', 'libpq.so.5.18'))).mode & 0o777, 0o644);
});

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { plant, root } from './planted-tree.ts';

// A folder that a reader sees at a glance has about 20 files, and at most a tenth more. The next file needs a new folder.
const MOST_FILES = 22;

/** Folders that may have any number of files. */
const EXCEPTIONS = new Set([
  // Applied migrations stay as they are, in one order: docs/decisions/0300-changes-stay-beside-the-baselines.md.
  'server/migrations',
]);

const PRODUCT = '{contract,server,console,sdk,cli,demo,bench,scripts,test}/**/*.{ts,tsx,mjs,css,sql}';

/** Returns each folder with too many files, as `folder count`. Test files do not count: a kind of tests is a flat list. */
function crowded(tree: string): string[] {
  const files = globSync(PRODUCT, {
    cwd: tree,
    exclude: ['**/*.test.ts', '**/*-suite.ts', '**/node_modules/**', '**/dist/**'],
  });
  const folders = Map.groupBy(files, (file) => dirname(file).replaceAll('\\', '/'));
  return [...folders]
    .filter(([folder, found]) => found.length > MOST_FILES && !EXCEPTIONS.has(folder))
    .map(([folder, found]) => `${folder} ${found.length}`)
    .toSorted();
}

test('no folder has too many files', () => {
  assert.deepEqual(crowded(root), []);
});

test('a folder with one file too many is named, and tests and folders inside it do not count', async () => {
  const names = Array.from({ length: MOST_FILES }, (_, index) => `server/full/file-${index}.ts`);
  const others = ['server/full/file.test.ts', 'server/full/inside/one.ts', 'server/full/inside/two.ts'];
  const files = (paths: string[]) => Object.fromEntries(paths.map((path) => [path, '']));
  assert.deepEqual(crowded(await plant(files([...names, ...others]))), []);
  for (const more of ['one-more.tsx', 'one-more.mjs', 'one-more.css', 'one-more.sql']) {
    const over = [...names, ...others, `server/full/${more}`];
    assert.deepEqual(crowded(await plant(files(over))), [`server/full ${MOST_FILES + 1}`], more);
  }
  const inTests = names.map((name) => name.replace('server/', 'test/'));
  assert.deepEqual(crowded(await plant(files([...inTests, 'test/full/world.ts']))), [`test/full ${MOST_FILES + 1}`]);
});

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { plant, root } from './planted-tree.ts';

// A folder that a reader sees at a glance has about 20 files, and at most a tenth more. The next file needs a new folder.
const MOST_FILES = 22;

/** Folders that may have more files. */
const EXCEPTIONS: Readonly<Record<string, number>> = {
  // The published package: one file for each subject of its public interface.
  'sdk/src': 25,
};

const PRODUCT = '{contract,server,console,sdk,cli,demo,bench,scripts,test/support}/**/*.{ts,tsx}';

/** Returns each folder with too many product files, as `folder count`. Tests do not count. */
function crowded(tree: string): string[] {
  const files = globSync(PRODUCT, {
    cwd: tree,
    exclude: ['**/*.test.ts', '**/*-suite.ts', '**/node_modules/**', '**/dist/**'],
  });
  const folders = Map.groupBy(files, (file) => dirname(file).replaceAll('\\', '/'));
  return [...folders]
    .filter(([folder, found]) => found.length > (EXCEPTIONS[folder] ?? MOST_FILES))
    .map(([folder, found]) => `${folder} ${found.length}`)
    .toSorted();
}

test('no folder has too many product files', () => {
  assert.deepEqual(crowded(root), []);
});

test('a folder with one file too many is named, and tests and folders inside it do not count', async () => {
  const names = Array.from({ length: MOST_FILES }, (_, index) => `server/full/file-${index}.ts`);
  const others = ['server/full/file.test.ts', 'server/full/inside/one.ts', 'server/full/inside/two.ts'];
  const files = (paths: string[]) => Object.fromEntries(paths.map((path) => [path, '']));
  assert.deepEqual(crowded(await plant(files([...names, ...others]))), []);
  const over = [...names, ...others, 'server/full/one-more.tsx'];
  assert.deepEqual(crowded(await plant(files(over))), [`server/full ${MOST_FILES + 1}`]);
});

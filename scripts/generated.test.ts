import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');

it('the first agent of the README has at most five lines', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const code = /```js\n([\s\S]+?)```/.exec(readme)?.[1] ?? assert.fail('no code in the README');
  assert.ok(code.trim().split('\n').length <= 5);
});

it('the generated pages are up to date', () => {
  const script = join(import.meta.dirname, 'docs.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

// The script that a visitor loads before a public page renders: the page's chunk, its static imports, and the texts of
// one language.

const BUILDS = join(ROOT, 'node_modules', '.concours-console');
const MOST_BYTES = 150_000;

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[]; isEntry?: boolean };

const publicPages = {
  market: [],
  project: ['public-project/project-page.tsx'],
  start: ['entering/start-page.tsx'],
  leaderboard: ['rankings/leaderboard-page.tsx'],
  agent: ['rankings/agent-page.tsx'],
};

describe('the first load of a public page', () => {
  let manifest: Record<string, Chunk>;
  let folder: string;

  before(async () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build-console.mjs')], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    folder = join(BUILDS, await readFile(join(BUILDS, 'current'), 'utf8'));
    manifest = JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  });

  for (const [page, chunks] of Object.entries(publicPages)) {
    it(`${page}: at most ${MOST_BYTES / 1000} KB of script, compressed`, async (t) => {
      const files = filesOf(manifest, ['index.html', ...chunks]);
      const sizes = await Promise.all([...files].map((file) => sizeOf(join(folder, file))));
      const sum = sizes.reduce((total, size) => total + size, 0);
      t.diagnostic(`${page}: ${sum} bytes in ${files.size} files`);
      assert.ok(sum <= MOST_BYTES, [...files].map((file, index) => `${file} ${sizes[index]}`).join('\n'));
    });
  }

  it('contains no schemas and no pages behind a sign-in', async () => {
    const files = filesOf(manifest, ['index.html', ...Object.values(publicPages).flat()]);
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8');
      assert.doesNotMatch(text, /ZodObject|invalid_union|eip6963/, file);
    }
  });
});

function filesOf(manifest: Record<string, Chunk>, names: string[]): Set<string> {
  const files = new Set<string>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const chunk = manifest[name] ?? assert.fail(`no chunk for ${name}`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    // The texts of German are the longest.
    const texts = (chunk.dynamicImports ?? []).filter((each) => each.startsWith('messages/de.json'));
    pending.push(...(chunk.imports ?? []), ...texts);
  }
  return files;
}

/** Returns the size as sent: compressed, except for files that are too small to be compressed. */
async function sizeOf(file: string): Promise<number> {
  const compressed = await stat(`${file}.br`).catch(() => null);
  return (compressed ?? (await stat(file))).size;
}

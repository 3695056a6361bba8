import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';

const ROOT = join(import.meta.dirname, '..');

const folder = await mkdtemp(join(tmpdir(), 'concours-build-'));
after(() => rm(folder, { recursive: true, force: true }));
const builds = join(folder, 'node_modules', '.concours-console');
const main = join(folder, 'console', 'main.ts');

// A clone with a one-line console and this repository's packages.
for (const part of ['console', 'contract', 'scripts', 'node_modules']) await mkdir(join(folder, part));
for (const name of ['build-console.mjs', 'catalogs.ts'])
  await cp(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
await writeFile(join(folder, 'package-lock.json'), '{}');
await writeFile(join(folder, 'contract', 'operations.ts'), '');
await writeFile(
  join(folder, 'console', 'index.html'),
  '<!doctype html><title>x</title><script type="module" src="/main.ts"></script>',
);
await writeFile(main, 'document.title = "first";');
for (const name of await readdir(join(ROOT, 'node_modules'))) {
  if (!name.startsWith('.concours'))
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}

async function run(env: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [join(folder, 'scripts', 'build-console.mjs')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stderr };
}

const current = async () => readFile(join(builds, 'current'), 'utf8');

async function script(): Promise<string> {
  const assets = join(builds, await current(), 'assets');
  const name = (await readdir(assets)).find((each) => each.endsWith('.js')) ?? assert.fail('no script');
  return await readFile(join(assets, name), 'utf8');
}

describe('the build of the console', () => {
  it('runs once, even for two concurrent starts, and leaves no partial files', async () => {
    const [one, other] = await Promise.all([run(), run()]);
    assert.deepEqual(
      [one, other],
      [
        { code: 0, stderr: '' },
        { code: 0, stderr: '' },
      ],
    );
    const name = await current();
    assert.deepEqual((await readdir(builds)).toSorted(), [name, 'current'].toSorted());
    assert.match(await script(), /first/);
    const { mtimeMs } = await stat(join(builds, name));
    assert.equal((await run()).code, 0);
    assert.equal((await stat(join(builds, name))).mtimeMs, mtimeMs, 'nothing was built again');
  });

  it('runs again when the console, the contract, or the lock file changes, and compresses large files', async () => {
    const names = new Set([await current()]);
    await writeFile(main, `document.title = ${JSON.stringify('second '.repeat(200))};`);
    assert.equal((await run()).code, 0);
    names.add(await current());
    const assets = join(builds, await current(), 'assets');
    const compressed = (await readdir(assets)).filter((each) => /\.(?:br|gz)$/.test(each));
    assert.equal(compressed.length, 2);
    const [br = ''] = compressed;
    assert.equal(brotliDecompressSync(await readFile(join(assets, br))).toString(), await script());
    for (const [path, content] of [
      ['contract/operations.ts', '// changed'],
      ['package-lock.json', '{ }'],
    ] as const) {
      await writeFile(join(folder, path), content);
      assert.equal((await run()).code, 0);
      names.add(await current());
    }
    assert.equal(names.size, 4);
  });

  it('is a production build for every NODE_ENV', async () => {
    await writeFile(main, 'document.title = process.env.NODE_ENV;');
    assert.deepEqual(await run({ NODE_ENV: 'development' }), { code: 0, stderr: '' });
    assert.match(await script(), /production/);
  });

  it('names the file that fails, and keeps the previous build', async () => {
    const before = await current();
    await writeFile(main, 'import { gone } from "./gone.ts"; gone(');
    const { code, stderr } = await run();
    assert.notEqual(code, 0);
    assert.match(stderr, /main\.ts/);
    assert.equal(await current(), before);
    assert.ok(existsSync(join(builds, before, 'index.html')));
    assert.deepEqual(
      (await readdir(builds)).filter((each) => each.startsWith('making')),
      [],
    );
  });
});

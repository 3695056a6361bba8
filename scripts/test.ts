// npm test                 all tests that need only Node
// npm test -- PATTERN...   the files whose path contains a PATTERN; if no path does, the tests whose title contains it
// npm run test:unit        the tests that need no database, no other process, and no pictures
// Other arguments that start with "--" go to Node's test runner. `--ci` and `--wide` choose the files of test/ci and
// test/wide, which need more programs than Node and npm: .ci/run and scripts/wide.sh install them.
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FILES = ['contract', 'server', 'sdk', 'cli', 'demo', 'scripts', 'test'].map((folder) => `${folder}/**/*.test.ts`);
const MORE_PROGRAMS = ['test/ci/**/*.test.ts', 'test/wide/**/*.test.ts'];
/** Tests wait for the database, the chain, and processes, so one more than the cores are at work. */
const PROCESSES = availableParallelism() + 1;
/** A unit test imports none of these, not even indirectly. */
const NOT_UNIT = /(?:\/test-database\.ts|^node:child_process|^node:worker_threads|^sharp|^solc)$/;
/** The specifier of each import, export, or dynamic import, except type imports. */
const IMPORTS = /(?:\bfrom|\bimport\s*\(|^import)\s*'([^']+)'/gm;
const TYPE_IMPORTS = /^(?:import|export) type [^;]+;/gm;

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

function isUnit(file: string): boolean {
  const seen = new Set([file]);
  // The loop also visits the values that its body adds.
  for (const reached of seen) {
    if (NOT_UNIT.test(reached)) return false;
    if (!/\.(?:ts|mjs)$/.test(reached) || !existsSync(join(ROOT, reached))) continue;
    for (const [, specifier = ''] of read(reached).replaceAll(TYPE_IMPORTS, '').matchAll(IMPORTS))
      seen.add(specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(reached), specifier)) : specifier);
  }
  return true;
}

/** Returns whether the source has a test or a suite whose title contains the text. */
function hasTitle(file: string, text: string): boolean {
  const titles = read(file).matchAll(/\b(?:test|it|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  return [...titles].some(([, , title = '']) => title.includes(text));
}

const args = process.argv.slice(2);
const patterns = args.filter((arg) => !arg.startsWith('--'));
const options = args.filter((arg) => arg.startsWith('--') && !['--unit', '--ci', '--wide'].includes(arg));
const [ci = '', wide = ''] = MORE_PROGRAMS;
const further = args.includes('--ci') ? ci : args.includes('--wide') ? wide : null;
const exclude = [...(further ? [] : MORE_PROGRAMS), '**/node_modules/**'];
const all = globSync(further ?? FILES, { cwd: ROOT, exclude }).toSorted();
let files = args.includes('--unit') ? all.filter(isUnit) : all;
if (patterns.length > 0) {
  const byPath = files.filter((file) => patterns.some((pattern) => file.includes(pattern)));
  if (byPath.length === 0) options.push(...patterns.map((text) => `--test-name-pattern=${RegExp.escape(text)}`));
  files = byPath.length > 0 ? byPath : files.filter((file) => patterns.some((text) => hasTitle(file, text)));
  console.log(`Files that match ${patterns.join(' or ')}: ${files.length}.`);
}
if (files.length === 0) process.exit(1);
// A single file starts what it needs. It is there sooner.
if (files.length > 1 && !args.includes('--unit')) options.push('--test-global-setup=test/support/global-setup.ts');
const child = spawn(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${PROCESSES}`,
    `--test-timeout=${further ? 1_200_000 : 300_000}`,
    ...options,
    ...files,
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(ROOT, 'node_modules', '.concours-compiled'),
    },
  },
);
// The terminal sends Ctrl-C to the test runner, too, which ends its servers before it ends.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal));
child.once('exit', (status) => (process.exitCode = status ?? 1));

// npm test                 every test; outside CI without the kills of test/crash, which `--all` adds
// npm test -- PATTERN...   the files whose path contains a PATTERN; if no path does, the tests whose title contains it
// npm run test:unit        the tests that need no database, no other process and no pictures
// Arguments that start with "--" go to Node's test runner. docs/development.md describes how the tests run.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { standingServer, testServer } from '../test/support/test-database.ts';
import { concurrency } from './concurrency.ts';
import { filesWithTitle, isKill, needsOwnProcess, startsServices, testFiles, unitTests } from './test-files.ts';

const ROOT = join(import.meta.dirname, '..');
/**
 * The processes beyond one for each core. A test waits more than half of its time: for the database, the chain, timers,
 * and processes that it has killed. Four processes keep two cores busy for 69 % of the time. Six were not
 * faster: 427 s, and 416 s with four.
 */
const MORE_THAN_CORES = 2;
/** For so few files, the speed of the machine is not measured. */
const FEW_FILES = 2;
/**
 * The space for young objects, in MB. Node begins with 1 MB and moves objects out of it early, which took a tenth of the
 * CPU time of a test process.
 */
const YOUNG_OBJECTS = ['--min-semi-space-size=32', '--max-semi-space-size=32'];
/** The limit of a test in a file that runs in its own process. test-worker.ts sets the limit of the other files. */
const TIMEOUT_MS = 300_000;

type Choice = { files: string[]; runnerOptions: string[] };
type Entries = { entries: string[]; processes: number };

const OWN_OPTIONS = ['--unit', '--all'];

function choose(args: string[]): Choice {
  const unit = args.includes('--unit');
  const runnerOptions = args.filter((arg) => arg.startsWith('--') && !OWN_OPTIONS.includes(arg));
  const patterns = args.filter((arg) => !arg.startsWith('--'));
  const all = unit ? testFiles().filter(unitTests()) : testFiles();
  if (patterns.length === 0) {
    const files = process.env['CI'] || args.includes('--all') ? all : withoutKills(all);
    return { files, runnerOptions };
  }
  const byPath = all.filter((file) => patterns.some((pattern) => file.includes(pattern)));
  if (byPath.length > 0) {
    console.log(`Files whose path contains ${patterns.join(' or ')}: ${byPath.length}.`);
    return { files: byPath, runnerOptions };
  }
  const byTitle = [...new Set(patterns.flatMap((pattern) => filesWithTitle(all, pattern)))];
  console.log(`Files with a test whose title contains ${patterns.join(' or ')}: ${byTitle.length}.`);
  const titles = patterns.map((pattern) => `--test-name-pattern=${RegExp.escape(pattern)}`);
  return { files: byTitle, runnerOptions: [...runnerOptions, ...titles] };
}

/** Leaves out the tests that kill the service at each write: a quarter of the time of all tests (docs/development.md). */
function withoutKills(all: string[]): string[] {
  const files = all.filter((file) => !isKill(file));
  const left = all.length - files.length;
  if (left > 0) console.log(`Left out: ${left} files of test/crash. CI runs them, and so does: npm test -- --all`);
  return files;
}

/**
 * Writes the entries that Node's test runner starts: workers that share the list of files, and a process for each other
 * file. The runner starts them in the order of their names.
 */
async function prepare(queue: string, { files, runnerOptions }: Choice): Promise<Entries> {
  const byTitle = runnerOptions.some((option) => option.startsWith('--test-name-pattern'));
  // A worker's test for a whole file has the path as its title, so a pattern for titles would skip the file.
  const alone = byTitle ? files : files.filter(needsOwnProcess);
  const shared = files.filter((file) => !alone.includes(file));
  await writeFile(join(queue, 'files.json'), JSON.stringify(shared));
  const processes = files.length > FEW_FILES ? concurrency(MORE_THAN_CORES) : FEW_FILES;
  const workers = Array<string>(Math.min(shared.length, processes)).fill('scripts/test-worker.ts');
  // The last worker starts when the other files are done.
  const started = [...workers.slice(1), ...alone, ...workers.slice(0, 1)];
  const entries = await Promise.all(
    started.map(async (file, index) => {
      const entry = join(queue, `${String(index).padStart(4, '0')}.test.mjs`);
      await writeFile(entry, `import ${JSON.stringify(pathToFileURL(join(ROOT, file)).href)};\n`);
      return entry;
    }),
  );
  return { entries, processes };
}

async function runTests(
  { entries, processes }: Entries,
  runnerOptions: string[],
  variables: Record<string, string | null>,
) {
  const scopes = pathToFileURL(join(ROOT, 'scripts', 'test-scopes.mjs')).href;
  const options = [
    `--import=${scopes}`,
    ...YOUNG_OBJECTS,
    `--test-concurrency=${processes}`,
    `--test-timeout=${TIMEOUT_MS}`,
    ...runnerOptions,
  ];
  const child = spawn(process.execPath, ['--test', ...options, ...entries], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(ROOT, 'node_modules', '.concours-compiled'),
      ...Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== null)),
    },
  });
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal));
  return await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
}

/** Returns the folder of the joined programs, or null for files that start sooner without it. */
async function joinedPrograms({ files }: Choice): Promise<string | null> {
  if (files.filter(startsServices).length < 2) return null;
  const { bundlePrograms } = await import('./test-programs.ts');
  return await bundlePrograms();
}

async function main(args: string[]): Promise<void> {
  const choice = choose(args);
  if (choice.files.length === 0) {
    process.exitCode = 1;
    return;
  }
  const queue = await mkdtemp(join(tmpdir(), 'concours-test-queue-'));
  const givenUrl = process.env['TEST_DATABASE_URL'] ?? (await standingServer());
  const isUnit = unitTests();
  const server = givenUrl || choice.files.every(isUnit) ? null : await testServer();
  try {
    const entries = await prepare(queue, choice);
    process.exitCode = await runTests(entries, choice.runnerOptions, {
      TEST_QUEUE: queue,
      TEST_DATABASE_URL: server?.url ?? givenUrl,
      TEST_PROGRAMS: await joinedPrograms(choice),
    });
  } finally {
    await server?.stop();
    await rm(queue, { recursive: true, force: true });
  }
}

// The terminal sends Ctrl-C to the test runner too. The database server must not stop before the runner does.
process.on('SIGINT', () => {});
await main(process.argv.slice(2));

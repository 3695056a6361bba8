// npm run check [-- NAME...]: runs the `check:NAME` scripts of package.json side by side. Prints a check's output only
// if the check fails.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
const PREFIX = 'check:';

type Check = { name: string; command: string };
type Outcome = { passed: boolean; output: string; ms: number };

/** The checks in the order of package.json. The slowest is first, because it decides how long the whole run takes. */
const checks: Check[] = Object.entries(manifest.scripts)
  .filter(([script]) => script.startsWith(PREFIX))
  .map(([script, command]) => ({ name: script.slice(PREFIX.length), command }));

async function run(command: string): Promise<Outcome> {
  const began = performance.now();
  const child = spawn(command, {
    shell: true,
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // tsc and the type-aware part of oxlint are written in Go. Collecting garbage less often saves about a tenth of
      // their CPU time. Each of them then takes up to 2 GB of memory.
      GOGC: '400',
      ...process.env,
      PATH: [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
    },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => output.push(text));
  }
  const passed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output.push(error.message);
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  return { passed, output: output.join('').trim(), ms: performance.now() - began };
}

/** Takes checks from the front of the list until it is empty. Returns whether all of them passed. */
async function runUntilEmpty(waiting: Check[]): Promise<boolean> {
  let allPassed = true;
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const { passed, output, ms } = await run(check.command);
    console.log(`${passed ? '✔' : '✖'} ${check.name} (${seconds(ms)})`);
    if (!passed) console.log(`${output}\n`);
    allPassed &&= passed;
  }
  return allPassed;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`No such check: ${unknown.join(', ')}. Choose from: ${checks.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 2;
} else {
  const began = performance.now();
  const waiting = checks.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  const runners = Array.from({ length: Math.max(2, availableParallelism()) }, () => runUntilEmpty(waiting));
  const passed = (await Promise.all(runners)).every(Boolean);
  console.log(`\n${passed ? 'All checks passed' : 'Some checks failed'} (${seconds(performance.now() - began)}).`);
  if (!passed) process.exitCode = 1;
}

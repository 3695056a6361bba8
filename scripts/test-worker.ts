import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

// One of the processes of scripts/test.ts. Runs test files one after the other, so that they load the modules once.
// Each file is a test of this process: its hooks run before the next file starts.

const ROOT = join(import.meta.dirname, '..');
/** Contains `files.json`, and a file for each entry of that list that a worker has claimed. */
const queue = process.env['TEST_QUEUE'] ?? '';
const files = JSON.parse(readFileSync(join(queue, 'files.json'), 'utf8')) as string[];

/** Of a whole file. A test of a file inherits it. */
const TIMEOUT_MS = 900_000;

// Some tests wait only for timers that do not keep a process alive.
const keepAlive = setInterval(() => {}, 60_000);
for (const [index, file] of files.entries()) {
  if (claim(index))
    await test(file, { timeout: TIMEOUT_MS }, async () => void (await import(pathToFileURL(join(ROOT, file)).href)));
}
clearInterval(keepAlive);

/** Only one process can create a file. */
function claim(index: number): boolean {
  try {
    openSync(join(queue, String(index)), 'wx');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

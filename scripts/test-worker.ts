import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

// A process of scripts/test.ts. It runs test files one after the other, so that they load the modules once.
// Each file is a test of this process: its hooks run before the next file starts.

const ROOT = join(import.meta.dirname, '..');
/** Contains `files.json`, and a file for each entry of that list that a worker has claimed. */
const queue = process.env['TEST_QUEUE'] ?? '';
const files = JSON.parse(readFileSync(join(queue, 'files.json'), 'utf8')) as string[];

/** How long a process that has run all its files may still live. */
const TO_END_MS = 20_000;
/** The limit of a whole file. Each test of the file inherits it. */
const TIMEOUT_MS = 900_000;

// Some tests wait only for timers that do not keep a process alive.
const keepAlive = setInterval(() => {}, 60_000);
for (const [index, file] of files.entries()) {
  if (claim(index))
    await test(file, { timeout: TIMEOUT_MS }, async () => void (await import(pathToFileURL(join(ROOT, file)).href)));
}
clearInterval(keepAlive);
setTimeout(failStillOpen, TO_END_MS).unref();

/** Claims an entry by creating its file, which succeeds in only one process. */
function claim(index: number): boolean {
  try {
    openSync(join(queue, String(index)), 'wx');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A hook that fails can leave a server or a connection open, which would keep this process alive forever. */
function failStillOpen(): void {
  console.error(
    `A test file left open: ${process.getActiveResourcesInfo().join(', ')}. The hook that failed tells which.`,
  );
  process.exit(1);
}

#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type { Io } from './io.ts';
import { main } from './main.ts';

/** The sources and the compiled files lie in folders of different depth below the package. */
const MANIFESTS = ['../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));

function version(): string {
  for (const file of MANIFESTS) {
    try {
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
      if (manifest.name === '@concours/cli') return manifest.version;
    } catch {
      // The other place has it.
    }
  }
  return 'unknown';
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once('SIGINT', () => interrupted.abort());
  // Without this, the end of the input (Ctrl-D) would leave the question open.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(question, { signal: interrupted.signal }), ended]);
  } finally {
    terminal.close();
  }
}

const interrupted = new AbortController();
// The second Ctrl-C ends the process at once. `enter` and `publish` can be repeated at any time.
process.once('SIGINT', () => interrupted.abort());
const io: Io = {
  // oxlint-disable-next-line no-restricted-properties -- a program of its own, without the service's settings
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
  readStdin: () => text(process.stdin),
  signal: interrupted.signal,
};
process.exitCode = await main(process.argv.slice(2), io, version());

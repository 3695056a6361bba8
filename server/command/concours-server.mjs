#!/usr/bin/env node
// The command `concours-server`. Plain JavaScript, because the Node that finds it may be too old for the TypeScript of the
// service: then the pinned Node of node_modules runs the command. An image that pins Node itself needs no second process.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST = 26;
const self = fileURLToPath(import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= OLDEST) {
  const { runCommand } = await import('./program.ts');
  await runCommand(process.argv.slice(2));
} else runWithPinnedNode();

function runWithPinnedNode() {
  const node = join(dirname(self), '..', '..', 'node_modules', '.bin', 'node');
  if (!existsSync(node)) {
    console.error(
      `concours-server needs Node ${OLDEST}, and this is Node ${process.versions.node}. Run: npm run bootstrap`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal signals the whole group. A supervisor signals this process only.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

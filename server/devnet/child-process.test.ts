import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLine, endSurvivor, findProgram, freePort, spawnBound, tryPort } from './child-process.ts';

const quiet = { stdio: 'ignore' } as const;

/** A process that spawns a bound child, tells its pid, and is killed (-9). */
async function killedParent(setpriv: string): Promise<number> {
  const script = `
    import { spawnBound } from ${JSON.stringify(join(import.meta.dirname, 'child-process.ts'))};
    console.log(spawnBound('/bin/sleep', ['60'], { ${setpriv} }).pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  // The child may still be on its way to exec.
  while (!(await commandLine(Number(line)))?.includes('sleep')) await wait(5);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return Number(line);
}

async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await commandLine(pid)) === null) return true;
    await wait(10);
  }
  return false;
}

test(
  'a child ends with its killed parent, through the kernel',
  { skip: findProgram('setpriv') === null && 'needs setpriv (Linux)' },
  async () => {
    assert.ok(await isGone(await killedParent('')));
  },
);

test(
  'a child ends with its killed parent on systems without setpriv',
  { skip: process.platform === 'win32' && 'needs a POSIX shell' },
  async () => {
    assert.ok(await isGone(await killedParent('setpriv: null')));
  },
);

test('ends a child, with stronger signals if it ignores the first', async () => {
  const script = 'trap "" INT; echo deaf; exec sleep 60';
  const child = spawnBound('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.process.stdout as Readable, 'data');
  await child.end([
    ['SIGINT', 50],
    ['SIGKILL', 5_000],
  ]);
  assert.deepEqual(await child.exited, { code: null, signal: 'SIGKILL' });
  assert.equal(child.running(), false);
  await child.end([['SIGINT', 50]]);
});

test('a program that does not exist counts as ended instead of throwing', async () => {
  const child = spawnBound('/nowhere/program', [], { setpriv: null });
  assert.deepEqual(await child.exited, { code: 127, signal: null });
});

test('a surviving process is ended only when its command line matches', async () => {
  const child = spawnBound('/bin/sleep', ['61'], quiet);
  while (!(await commandLine(child.pid))?.includes('61')) await wait(5);
  assert.equal(await endSurvivor(child.pid, ['sleep', '62']), 'absent');
  assert.equal(child.running(), true);
  assert.equal(await endSurvivor(child.pid, ['sleep', '61']), 'ended');
  assert.deepEqual(await child.exited, { code: null, signal: 'SIGINT' });
  assert.equal(await endSurvivor(child.pid, ['sleep', '61']), 'absent');
});

test('tells a taken port from a free one', async () => {
  const port = await freePort();
  assert.equal(await tryPort(port), port);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  assert.equal(await tryPort(port), null);
  server.close();
});

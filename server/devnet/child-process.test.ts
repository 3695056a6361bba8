import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLine, endSurvivor, spawnBound } from './child-process.ts';

const quiet = { stdio: 'ignore' } as const;

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

test('a surviving process is ended only when its command line matches', async () => {
  const child = spawnBound('/bin/sleep', ['61'], quiet);
  while (!(await commandLine(child.pid))?.includes('61')) await wait(5);
  assert.equal(await endSurvivor(child.pid, ['sleep', '62']), 'absent');
  assert.equal(child.running(), true);
  assert.equal(await endSurvivor(child.pid, ['sleep', '61']), 'ended');
  assert.deepEqual(await child.exited, { code: null, signal: 'SIGINT' });
  assert.equal(await endSurvivor(child.pid, ['sleep', '61']), 'absent');
});

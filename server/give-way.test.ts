import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const PROGRAM = `
  const { giveWay } = await import(${JSON.stringify(new URL('give-way.ts', import.meta.url).href)});
  giveWay();
  const { readdirSync, readFileSync } = await import('node:fs');
  const { getPriority } = await import('node:os');
  const read = (path) => { try { return readFileSync(path, 'utf8'); } catch { return ''; } };
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  console.log(JSON.stringify({ threads: threads.map(getPriority), autogroup: read('/proc/self/autogroup').trim() }));
`;
const ARGS = ['--input-type=module', '--eval', PROGRAM];

describe('a process that gives way', () => {
  it('does so with all of its threads', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ARGS);
    const { threads } = JSON.parse(stdout) as { threads: number[] };
    assert.deepEqual(new Set(threads), new Set([10]));
    if (process.platform === 'linux') assert.ok(threads.length > 1);
  });

  it('does so with the session that it leads, and with no other', async (test) => {
    const enabled = await readFile('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').catch(() => '0');
    if (enabled.trim() !== '1') return test.skip('the kernel groups no sessions');
    const own = await readFile('/proc/self/autogroup', 'utf8');
    const follower = await promisify(execFile)(process.execPath, ARGS);
    assert.equal((JSON.parse(follower.stdout) as { autogroup: string }).autogroup, own.trim());
    const leader = spawn(process.execPath, ARGS, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const { autogroup } = JSON.parse(await text(leader.stdout)) as { autogroup: string };
    assert.match(autogroup, /nice 10$/);
  });
});

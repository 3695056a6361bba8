import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuSeconds } from '../child.ts';
import type { Db } from '../../server/ports/database.ts';

/** Returns the CPU seconds that the database's processes have used, or NaN if the system does not report them. */
export async function databaseCpu(db: Db): Promise<number> {
  const [{ pid }] = await db<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const parent = await listed(['-o', 'ppid=', '-p', String(pid)]);
  const children = await listed(['-o', 'pid=', '--ppid', parent.join(',')]);
  const all = await Promise.all(children.map((child) => cpuSeconds(Number(child))));
  return all.reduce((sum, each) => sum + each, 0);
}

async function listed(args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', args);
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

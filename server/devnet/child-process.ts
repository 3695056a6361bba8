import { execFile, spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type ExitReason = { code: number | null; signal: NodeJS.Signals | null };

/** A child process that ends with this process, even after kill -9. */
export type BoundChild = {
  pid: number;
  process: ChildProcess;
  exited: Promise<ExitReason>;
  running(): boolean;
  /** Sends each signal in turn and waits its milliseconds. Resolves when the process has ended. */
  end(steps: [NodeJS.Signals, number][]): Promise<void>;
};

export type BoundOptions = {
  cwd?: string;
  stdio?: StdioOptions;
  /** Spawn as another user (root only). */
  identity?: { uid: number; gid: number };
  /** A command that executes its remaining arguments, such as `unshare`. */
  wrapper?: string[];
};

/**
 * Returns an environment with little more than PATH, so that PGPORT or ANVIL_IP_ADDR of a shell do not reach the parts.
 */
export function childEnvironment(home: string): NodeJS.ProcessEnv | undefined {
  if (process.platform === 'win32') return undefined;
  return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, LC_ALL: 'C', TZ: 'UTC' };
}

/** Returns the path of a program, or null. Skips those of Busybox, which lack the options used here. */
export function findProgram(name: string): string | null {
  for (const folder of ['/usr/bin', '/bin', '/usr/local/bin']) {
    const path = `${folder}/${name}`;
    if (existsSync(path) && !realpathSync(path).endsWith('busybox')) return path;
  }
  return null;
}

/**
 * Spawns a process that gets SIGINT when this process dies, even by kill -9. On Linux the kernel sends it
 * (`setpriv --pdeathsig`). Elsewhere a shell sends it when a pipe from this process closes. Windows ends children itself.
 * The child leads its own session, so Ctrl-C reaches only this process, which then stops in order.
 */
export function spawnBound(command: string, args: string[], options: BoundOptions = {}): BoundChild {
  const { wrapper = [], stdio = 'ignore', cwd, identity } = options;
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : null;
  const line = [...wrapper, ...(setpriv ? [setpriv, '--pdeathsig', 'INT'] : []), command, ...args];
  const child = spawn(line[0] as string, line.slice(1), {
    stdio,
    detached: process.platform !== 'win32',
    windowsHide: true,
    env: childEnvironment(cwd ?? '/'),
    ...(cwd === undefined ? {} : { cwd }),
    ...identity,
  });
  const guard = setpriv ? null : guardOf(child);
  let running = true;
  const exited = new Promise<ExitReason>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  void exited.then(() => (running = false));
  void exited.then(() => guard?.kill('SIGKILL'));
  // A running part must not keep this process alive.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref();
  return {
    pid: child.pid ?? -1,
    process: child,
    exited,
    running: () => running,
    async end(steps) {
      child.ref();
      for (const [signal, patienceMs] of steps) {
        if (!running) return;
        child.kill(signal);
        if (await within(exited, patienceMs)) return;
      }
    },
  };
}

/** Without setpriv, a shell ends the child when this process is gone; Windows ends children itself. */
function guardOf({ pid }: ChildProcess): ChildProcess | null {
  return process.platform === 'win32' || pid === undefined ? null : spawnGuard(pid);
}

function spawnGuard(pid: number): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: childEnvironment('/'),
  });
  guard.unref();
  (guard.stdin as Socket | null)?.unref();
  return guard;
}

async function within(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = wait(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer.abort();
  }
}

/** Returns the command line of a running process, or null when there is none or the system does not tell. */
export async function commandLine(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      return raw === '' ? null : raw.split('\0').join(' ');
    }
    if (process.platform === 'win32') return null;
    const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

/**
 * Waits for a process that survived the start that spawned it, and stops it if it does not end. Usually it has its
 * signal and is still writing its state. Its command line must contain all `marks`, because process ids are reused and
 * other processes must not be touched.
 */
export async function endSurvivor(pid: number, marks: string[]): Promise<'absent' | 'ended' | 'stuck'> {
  const alive = async () => {
    const line = await commandLine(pid);
    return line !== null && marks.every((mark) => line.includes(mark));
  };
  if (!(await alive())) return 'absent';
  const steps: [NodeJS.Signals | 0, number][] = [
    [0, 1_000],
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patienceMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended, or belongs to another user; the next check decides.
    }
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
      if (!(await alive())) return 'ended';
      await wait(20);
    }
  }
  return 'stuck';
}

const FIRST_PORT = 20_000;
const PORTS = 12_768;
// Processes that search at the same time start at different ports.
let next = process.pid * 101;

/**
 * Returns a free TCP port of the loopback address. It is below the ports of outgoing connections (from 32768 on Linux,
 * from 49152 elsewhere), which may be taken before the part listens.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    next += 1;
    const port = await tryPort(FIRST_PORT + (next % PORTS));
    if (port !== null) return port;
  }
  return (await tryPort(0)) as number;
}

/** Returns the port if it is free, otherwise null. With 0 it returns any free port. */
export async function tryPort(port: number): Promise<number | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const taken = (server.address() as AddressInfo).port;
      server.close(() => resolve(taken));
    });
  });
}

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

/** A process that ends when this one does, however this one ends. */
export type BoundChild = {
  pid: number;
  process: ChildProcess;
  exited: Promise<ExitReason>;
  running(): boolean;
  /** Resolves when it is gone; asks with each signal in turn, giving it the time named beside. */
  end(steps: [NodeJS.Signals, number][]): Promise<void>;
};

export type BoundOptions = {
  cwd?: string;
  stdio?: StdioOptions;
  /** Spawn as another user (root only). */
  identity?: { uid: number; gid: number };
  /** A command that execs the rest of its arguments, such as `unshare`. */
  wrapper?: string[];
  /** Tests pick the way of systems without setpriv. */
  setpriv?: string | null;
};

/** Nothing of our environment but where to find programs: PGPORT or ANVIL_IP_ADDR of a shell must not reach the parts. */
export function childEnvironment(home: string): NodeJS.ProcessEnv | undefined {
  if (process.platform === 'win32') return undefined;
  return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, LC_ALL: 'C', TZ: 'UTC' };
}

/** The first of these programs that exists. Busybox's are left out: its setpriv and unshare lack the options used here. */
export function findProgram(name: string): string | null {
  for (const folder of ['/usr/bin', '/bin', '/usr/local/bin']) {
    const path = `${folder}/${name}`;
    if (existsSync(path) && !realpathSync(path).endsWith('busybox')) return path;
  }
  return null;
}

/**
 * Spawns a process that gets SIGINT when this one dies, kill -9 included: through the kernel (`setpriv --pdeathsig`) on
 * Linux, elsewhere through a shell that waits for the end of a pipe from us. Windows ends children by itself.
 * It leads a session of its own, so that Ctrl-C in a terminal reaches this process alone, which then stops in order.
 */
export function spawnBound(command: string, args: string[], options: BoundOptions = {}): BoundChild {
  const { wrapper = [], stdio = 'ignore', cwd, identity, setpriv = findSetpriv() } = options;
  const line = [...wrapper, ...(setpriv ? [setpriv, '--pdeathsig', 'INT'] : []), command, ...args];
  const child = spawn(line[0] as string, line.slice(1), {
    stdio,
    detached: process.platform !== 'win32',
    windowsHide: true,
    env: childEnvironment(cwd ?? '/'),
    ...(cwd === undefined ? {} : { cwd }),
    ...identity,
  });
  const guard = setpriv || process.platform === 'win32' || child.pid === undefined ? null : spawnGuard(child.pid);
  let running = true;
  const exited = new Promise<ExitReason>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  void exited.then(() => (running = false));
  void exited.then(() => guard?.kill('SIGKILL'));
  // A part that runs is no reason for this process to stay: it ends with us.
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

function findSetpriv(): string | null {
  return process.platform === 'linux' ? findProgram('setpriv') : null;
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

/** What a running process was started as, or null when there is none (or the system does not tell). */
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
 * Waits for a process that outlived the start that spawned it, and stops it if it does not go by itself: as a rule it got
 * its signal when that start died, and is still writing what it knows. Its command line must hold every one of `marks`:
 * process ids are used again, and a stranger's process is never touched.
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
      // Gone between the look and the signal, or not ours to signal: the next look tells.
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
// Processes that look at the same time look in different places.
let next = process.pid * 101;

/**
 * A TCP port of the loopback address that nothing listens on now. Below the ports that systems give to outgoing
 * connections (32768 and up on Linux, 49152 elsewhere): one of those can be gone before its part listens on it.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    next += 1;
    const port = await tryPort(FIRST_PORT + (next % PORTS));
    if (port !== null) return port;
  }
  return (await tryPort(0)) as number;
}

/** The port if it is free (0: any free one), else null. */
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

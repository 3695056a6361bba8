import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export type RunningProcess = {
  child: ChildProcess;
  /** Returns everything that the process has printed so far, on both streams. */
  output: () => string;
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): Promise<number | string>;
};

export type ScriptOptions = {
  /** Options of Node itself. */
  nodeOptions?: readonly string[];
  env?: Record<string, string>;
  /** Opens a channel for messages. It also tells the process when the test process has ended. */
  messages?: boolean;
  /**
   * Makes the process lead a session, as a service manager does. Linux divides the processors between sessions first.
   * Signals of the terminal do not reach the process; it is killed when this process exits.
   */
  ownSession?: boolean;
};

/** The service's program for `startScript`. */
export const MAIN = 'server/main.ts';

/** Runs a script of the repository on the current Node executable. */
export function startScript(
  script: string,
  args: string[],
  { nodeOptions = [], env, messages = false, ownSession = false }: ScriptOptions = {},
): RunningProcess {
  const { PATH = '', HOME = '/', NODE_COMPILE_CACHE } = process.env;
  const inherited = { PATH, HOME, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
  const child = spawn(process.execPath, [...nodeOptions, join(ROOT, script), ...args], {
    env: { ...inherited, ...env },
    detached: ownSession,
    stdio: ['ignore', 'pipe', 'pipe', ...(messages ? (['ipc'] as const) : [])],
  });
  if (ownSession) process.once('exit', () => child.kill('SIGKILL'));
  return watchProcess(child);
}

export function watchProcess(child: ChildProcess): RunningProcess {
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => said.push(text));
  }
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1)),
  );
  return {
    child,
    output: () => said.join(''),
    ended,
    async kill(signal) {
      child.kill(signal);
      return await ended;
    },
  };
}

/** Runs a program to its end. Rejects if it fails. */
export const run = promisify(execFile);

/** Runs a program with Node, gives it `input`, and returns what it prints. Rejects with its output if it fails. */
export function outputOf(args: string[], input: string, cwd = ROOT): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, args, { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr || error.message}`));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}

const SHORTEST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 50;

/** Repeats a question until it has an answer, with pauses of 4 to 50 ms. Throws `what` if the time runs out. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | null | undefined>,
  timeoutMs = 150_000,
): Promise<T> {
  let pauseMs = SHORTEST_PAUSE_MS;
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(pauseMs)) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer;
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5);
  }
  throw new Error(`not within ${timeoutMs} ms: ${what}`);
}

export async function firstLine(running: RunningProcess): Promise<string> {
  if (!running.child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: running.child.stdout })) return line;
  throw new Error(`it ended without a line: ${running.output()}`);
}

/** Whether something listens there. */
export async function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** Waits until the service at `url` is ready. Throws the output of the process if the process ends first. */
export async function untilReady(running: RunningProcess, url: string): Promise<void> {
  let over = false;
  void running.ended.then(() => (over = true));
  const ready = async () => {
    if (over) throw new Error(`the service ended:\n${running.output()}`);
    return await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  };
  await until(`${url} ready`, ready).catch((error: Error) => {
    throw new Error(`${error.message}\n${running.output()}`, { cause: error });
  });
}

/** Returns all descendants of process `pid` with their command lines, read from /proc. */
export async function descendants(pid: number): Promise<{ pid: number; command: string }[]> {
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(processOf));
  const below = (parent: number): typeof all =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

async function processOf(pid: string): Promise<{ pid: number; parent: number; command: string }> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const [stat, command] = await Promise.all([read('stat'), read('cmdline')]);
  // The name in parentheses can contain any character. The state and the parent follow it.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return { pid: Number(pid), parent, command: command.replaceAll('\0', ' ') };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

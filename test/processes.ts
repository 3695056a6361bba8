import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');

export type RunningProcess = {
  child: ChildProcess;
  /** What it printed so far, both streams. */
  output: () => string;
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): Promise<number | string>;
};

/** Runs a script of the repository on this very Node. */
export function startScript(script: string, args: string[], env: Record<string, string> = {}): RunningProcess {
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/' };
  const child = spawn(process.execPath, [join(ROOT, script), ...args], { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => said.push(text));
  }
  const ended = new Promise<number | string>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? 1)));
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

export async function firstLine(running: RunningProcess): Promise<string> {
  if (!running.child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: running.child.stdout })) return line;
  throw new Error(`it ended without a line: ${running.output()}`);
}

/** Waits until the service at `url` is ready; throws what the process said when it ends first. */
export async function untilReady(running: RunningProcess, url: string, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let over = false;
  void running.ended.then(() => (over = true));
  while (Date.now() < deadline) {
    if (over) throw new Error(`the service ended:\n${running.output()}`);
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await sleep(50);
  }
  throw new Error(`the service was not ready in time:\n${running.output()}`);
}

import { type ChildProcess, execFile, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A part of a measurement in a separate process. It answers one question at a time over its channel. */
export type Child = {
  pid: number;
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
};

/**
 * Starts a script of this folder with `settings` as its argument. The script always ends with this process.
 * `ownSession` is the same as in `ScriptOptions`.
 */
export function startChild(script: string, settings: unknown, ownSession = false): Child {
  const child = fork(join(import.meta.dirname, script), [JSON.stringify(settings)], {
    detached: ownSession,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    pid: child.pid ?? 0,
    ask: (question) => nextAnswer(child, script, question),
    stop: () => ended(child),
  };
}

function nextAnswer<Answer>(child: ChildProcess, script: string, question: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${script} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer: { error?: string }) => {
      child.off('exit', onExit);
      if (answer.error === undefined) resolve(answer as Answer);
      else reject(new Error(`${script}: ${answer.error}`));
    });
    child.send(question as object);
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/** Runs in the child: answers each question of the parent and ends with the parent. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the script knows what its parent asks
export function answerParent<Question>(work: (question: Question) => Promise<object>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question: Question) => {
    work(question).then(
      (answer) => process.send?.(answer),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}

/** Returns the resident memory of any process, in MB. */
export async function residentMb(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) / 1024;
}

/** Returns the CPU time that a process has used, in seconds, or NaN if the system does not report it. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A part of a measurement in a separate process. It answers one question at a time over its channel. */
export type Child = {
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
};

/** Starts a script of `peers/` with `settings` as its argument. The script always ends with this process. */
export function startChild(script: string, settings: unknown): Child {
  const child = fork(join(import.meta.dirname, 'peers', script), [JSON.stringify(settings)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  return {
    async ask<Answer>(question: unknown) {
      const answer = once(child, 'message') as Promise<[Answer & { error?: string }]>;
      child.send(question as object);
      const [given] = await Promise.race([answer, ended.then(() => [{ error: 'it ended' }] as const)]);
      if (given.error !== undefined) throw new Error(`${script}: ${given.error}`);
      return given as Answer;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs in the child: answers each question of the parent and ends with the parent. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the script knows what its parent asks
export function answerParent<Question>(work: (question: Question) => Promise<object>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question: Question) => {
    work(question).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

import { CannotRun } from './cannot-run.ts';

/** Runs a program to its end. A reason for its operator is printed without a stack. */
export async function runToEnd(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof CannotRun ? error.message : error);
    process.exitCode = 1;
  }
}

/** Resolves at the first SIGINT or SIGTERM, which starts an orderly shutdown. A second signal exits at once. */
export function untilStopped(): Promise<null> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.on(signal, () => process.exit(130));
        resolve(null);
      });
    }
  });
}

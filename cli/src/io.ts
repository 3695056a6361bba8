import type { Fetch } from '../../sdk/src/index.ts';

export type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number };

/** Everything outside that the commands touch. Tests pass their own. */
export type Io = {
  env: Record<string, string | undefined>;
  stdout: Output;
  stderr: Output;
  /** Asks the person at the terminal; null without a terminal. */
  ask: ((question: string) => Promise<string>) | null;
  readStdin: () => Promise<string>;
  /** Aborted when the user interrupts the command. */
  signal: AbortSignal;
  fetch?: Fetch;
};

import type { Deps } from '../../deps.ts';
import type { AttemptDeps, Attempts } from './delivery-attempt.ts';
import type { FirstLane } from './concurrency.ts';
import type { Settler } from './outcome-writer.ts';

export type SenderDeps = AttemptDeps & Pick<Deps, 'db' | 'newId'>;

/** What the lanes of one process share. */
export type SenderParts = {
  deps: SenderDeps;
  attempts: Attempts;
  lane: FirstLane;
  settler: Settler;
  /** The endpoints that this process is sending to: each is sent one event at a time. */
  busy: Set<string>;
  stopping: AbortSignal;
  /** Work that outlasts whoever began it: a stop waits for it. */
  track(work: Promise<unknown>): void;
};

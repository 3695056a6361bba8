import type { z } from 'zod';
import type { dependency } from '../../contract/operator/machine.ts';
import type { FacilitatorUsage } from './facilitator.ts';

export type Dependency = z.infer<typeof dependency>;

/** The answers of the parts that this process depends on, when it last asked them. */
export type MachineState = {
  checkedAt: Date;
  dependencies: { dependency: Dependency; up: boolean; seconds: number }[];
  /** The keys that this process broadcasts with; empty with an external facilitator. */
  keys: FacilitatorUsage['keys'];
};

/** A recurring job of this process. */
export type JobState = {
  name: string;
  everyMs: number;
  /** Null between two runs. */
  runningSince: Date | null;
  endedAt: Date | null;
  /** Runs that failed or were abandoned. */
  failures: number;
  failedAt: Date | null;
};

/** The counters and states of this process since its start. */
export type ProcessMetrics = {
  since: Date;
  answers(): Promise<{ operation: string; status: number; count: number }[]>;
  /** Webhook attempts by outcome: `delivered`, or how they failed. `null` in a process that sends no webhooks. */
  attempts(): ReadonlyMap<string, number> | null;
  machine(): Promise<MachineState>;
  jobs(): readonly JobState[];
};

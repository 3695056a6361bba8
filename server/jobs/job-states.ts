import type { Clock } from '../ports/clock.ts';
import type { JobState } from '../ports/metrics.ts';

/** Watches the runs of jobs. */
export type JobStates = {
  list(): readonly JobState[];
  add(job: { name: string; everyMs: number }): void;
  started(name: string): void;
  ended(name: string, outcome: 'done' | 'failed'): void;
};

/** Keeps the newest run of each job, for the operator. */
export function createJobStates(clock: Clock): JobStates {
  const states = new Map<string, JobState>();
  function change(name: string, changed: Partial<JobState>): void {
    const state = states.get(name);
    if (state) Object.assign(state, changed);
  }
  return {
    list: () => [...states.values()],
    add({ name, everyMs }) {
      states.set(name, { name, everyMs, runningSince: null, endedAt: null, failures: 0, failedAt: null });
    },
    started: (name) => change(name, { runningSince: clock.now() }),
    ended(name, outcome) {
      const at = clock.now();
      const failures = states.get(name)?.failures ?? 0;
      change(name, { runningSince: null, endedAt: at });
      if (outcome === 'failed') change(name, { failures: failures + 1, failedAt: at });
    },
  };
}

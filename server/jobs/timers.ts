import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export type Job = {
  name: string;
  everyMs: number;
  /** Work of many steps ends between two of them once it is told to stop. */
  run(stopping: AbortSignal): Promise<unknown>;
};

export type Jobs = {
  /** Waits for the runs that are under way. */
  stop(): Promise<void>;
};

/**
 * Runs each job again and again, never twice at once in this process. The work itself claims its rows, so several
 * processes may run the same jobs; a failure is logged and the next round tries again.
 */
export function startJobs(jobs: Job[], log: Logger): Jobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => loop(job, log, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function loop(job: Job, log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      await job.run(stopping);
    } catch (error) {
      log.error({ job: job.name, err: error }, 'job failed');
    }
    await sleep(job.everyMs, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDiskFull } from '../db/public.ts';

/** Long work checks `stopping` between two of its parts. */
export type Run = (stopping: AbortSignal) => Promise<unknown>;

/** Steps that run in their order, again and again. The log names the step. A step that fails does not stop the next one. */
export type Job = { everyMs: number; steps: Record<string, Run> };

export type Jobs = {
  /** Waits for the runs in progress, at most 25 s. */
  stop(): Promise<void>;
};

// The longest run, the ledger's check, takes minutes on millions of journals.
const STUCK_MS = 15 * 60_000;
// How long a shutdown waits for runs: as long as for requests.
const STOP_MS = 25_000;

export type JobOptions = {
  stuckMs?: number;
  stopMs?: number;
  /** Called with the name of a step that was abandoned. */
  onStuck?: (name: string) => void;
};

/**
 * Runs each job repeatedly, never twice at the same time in this process. Several processes may run the same jobs,
 * because the work claims its rows. A failure is logged, and the next run tries again. A step that hangs for 15 minutes
 * is abandoned, for example when the driver lost its statement with the connection. Its leases expire, and the next run
 * takes over.
 */
export function startJobs(
  jobs: Job[],
  log: Logger,
  { stuckMs = STUCK_MS, stopMs = STOP_MS, onStuck = () => {} }: JobOptions = {},
): Jobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => loop(job, log, stopping.signal, { stuckMs, onStuck }));
  return {
    async stop() {
      stopping.abort();
      const over = new AbortController();
      const patience = sleep(stopMs, undefined, { signal: over.signal }).catch(() => {});
      await Promise.race([Promise.all(loops), patience]);
      over.abort();
    },
  };
}

async function loop(job: Job, log: Logger, stopping: AbortSignal, options: StepOptions): Promise<void> {
  while (!stopping.aborted) {
    for (const [name, run] of Object.entries(job.steps))
      if (!stopping.aborted) await runStep(name, run(stopping), log, options);
    await sleep(job.everyMs, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}

type StepOptions = { stuckMs: number; onStuck: (name: string) => void };

async function runStep(name: string, work: Promise<unknown>, log: Logger, { stuckMs, onStuck }: StepOptions) {
  try {
    await withLimit(work, stuckMs);
  } catch (error) {
    if (error instanceof Stuck) {
      log.error({ job: name, alert: 'job_stuck' }, 'job hangs; it is started again');
      onStuck(name);
    } else {
      const alert = isDiskFull(error) ? { alert: 'database_full' } : {};
      log.error({ job: name, ...alert, err: error }, 'job failed');
    }
  }
}

class Stuck extends Error {}

/** Rejects with Stuck after `limitMs`. A later result or failure of `work` is ignored. */
async function withLimit(work: Promise<unknown>, limitMs: number): Promise<void> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Stuck()), limitMs);
  timer.unref();
  work.catch(() => {});
  try {
    await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

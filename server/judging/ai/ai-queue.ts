import { bringForward } from '../../projects/public.ts';
import { judgeWithAi } from './ai-judging.ts';
import { findAiJudgingState } from './ai-queries.ts';

// The timers hand waiting projects over again and again, so the queue need not hold all of them.
const MAX_WAITING = 8;
const CONCURRENCY = 2;
// No round starts after 5 minutes of a run. The run then ends before the job loop reports it as hanging.
const RUN_MS = 5 * 60_000;

export type AiQueue = {
  /** Adds a project to the queue, unless the queue is full. */
  add(projectId: string): void;
  /** Runs one round for each waiting project. */
  run(stopping: AbortSignal): Promise<void>;
};

/** A short queue in memory between the timers, which do not wait, and the AI judge, whose rounds take minutes. */
export function createAiQueue(deps: Parameters<typeof judgeWithAi>[0]): AiQueue {
  const waiting = new Set<string>();

  async function runWorker(stopping: AbortSignal): Promise<void> {
    const until = deps.clock.now().getTime() + RUN_MS;
    for (const projectId of waiting) {
      if (stopping.aborted || deps.clock.now().getTime() >= until) return;
      waiting.delete(projectId);
      await judge(projectId, stopping);
    }
  }

  async function judge(projectId: string, stopping: AbortSignal): Promise<void> {
    try {
      await judgeWithAi(deps, projectId, stopping);
      const state = await findAiJudgingState(deps.db, projectId);
      if (state === 'scored' || state === 'impossible') await bringForward(deps.db, projectId, deps.clock.now());
    } catch (error) {
      deps.log.error({ projectId, err: error }, 'a round of the AI judge failed');
    }
  }

  return {
    add(projectId) {
      if (waiting.size < MAX_WAITING) waiting.add(projectId);
    },
    async run(stopping) {
      await Promise.all(Array.from({ length: CONCURRENCY }, () => runWorker(stopping)));
    },
  };
}

import { lookAgainSoon } from '../projects/public.ts';
import { aiJudgingState, judgeWithAi } from './ai-judging.ts';

// What waits here is looked at by the timers again and again: there is no need to remember all of it.
const ROOM = 8;
const AT_ONCE = 2;
// No round begins later in a run, so that the run ends before it is taken for one that hangs: a round takes some minutes.
const RUN_MS = 5 * 60_000;

export type AiTurns = {
  /** Remembers a project for a round of the AI judge, if there is room. */
  take(projectId: string): void;
  /** Gives every project that waits its round. */
  run(stopping: AbortSignal): Promise<void>;
};

/** Between the timers, which do not wait, and the AI judge, whose rounds take minutes: a short queue in memory. */
export function createAiTurns(deps: Parameters<typeof judgeWithAi>[0]): AiTurns {
  const waiting = new Set<string>();

  async function runLane(stopping: AbortSignal): Promise<void> {
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
      const state = await aiJudgingState(deps.db, projectId);
      if (state === 'scored' || state === 'impossible') await lookAgainSoon(deps.db, projectId, deps.clock.now());
    } catch (error) {
      deps.log.error({ projectId, err: error }, 'a round of the AI judge failed');
    }
  }

  return {
    take(projectId) {
      if (waiting.size < ROOM) waiting.add(projectId);
    },
    async run(stopping) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => runLane(stopping)));
    },
  };
}

import type { Deps } from '../../server/deps.ts';
import { flagLikenesses } from '../../server/entries/originality/public.ts';
import { advanceProjects } from '../../server/judging/advance-projects.ts';
import { createAiQueue } from '../../server/judging/ai/ai-queue.ts';

/** Compares new pictures, advances projects, and lets the AI judge do what they wait for. */
export async function advanceAll(deps: Deps): Promise<void> {
  await flagLikenesses(deps);
  const queue = createAiQueue(deps);
  await advanceProjects(deps, undefined, (projectId) => queue.add(projectId));
  await queue.run(new AbortController().signal);
}

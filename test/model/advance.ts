import type { Deps } from '../../server/deps.ts';
import { lapsePlaces } from '../../server/entries/public.ts';
import { flagLikenesses } from '../../server/entries/originality/public.ts';
import { advanceProjects } from '../../server/judging/advance-projects.ts';
import { createAiQueue } from '../../server/judging/ai/ai-queue.ts';

/** Lets places lapse, compares new pictures, advances projects, and lets the AI judge do what they wait for. */
export async function advanceAll(deps: Deps): Promise<void> {
  await lapsePlaces(deps);
  await flagLikenesses(deps);
  const queue = createAiQueue(deps);
  await advanceProjects(deps, undefined, (projectId) => queue.add(projectId));
  await queue.run(new AbortController().signal);
}

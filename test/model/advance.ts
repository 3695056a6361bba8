import type { Deps } from '../../server/deps.ts';
import { lapsePlaces } from '../../server/entries/public.ts';
import { advanceProjects } from '../../server/judging/advance-projects.ts';
import { judgeWithAi } from '../../server/judging/ai/judge-with-ai.ts';

/** Lets places lapse, advances projects, and lets the AI judge do what they wait for. */
export async function advanceAll(deps: Deps): Promise<void> {
  await lapsePlaces(deps);
  await advanceProjects(deps);
  const [row] = await deps.db<
    [{ count: number }]
  >`select count(*)::integer as count from ai_judging where state = 'running'`;
  for (let round = 0; round < row.count; round += 1) await judgeWithAi(deps, new AbortController().signal);
}

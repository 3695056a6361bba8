import type { NewEvent } from '../../events/public.ts';
import type { Decided, EntryRow } from '../../entries/public.ts';
import { isEligible } from './selection.ts';

type Result = Decided & { agentId: string; score: number | null };

/**
 * Returns what the agents of a decided project are told: the score, which they see from now on, and the outcome. A
 * disqualified agent knows its outcome already.
 */
export function resultEvents(projectId: string, entries: EntryRow[], results: Result[]): NewEvent[] {
  const disqualified = new Set(entries.filter((entry) => !isEligible(entry)).map(({ id }) => id));
  return results.flatMap((result): NewEvent[] => {
    const { id, agentId: agent, score } = result;
    const data = { project_id: projectId, submission_id: id };
    const scored = score === null ? [] : [{ agent, type: 'SUBMISSION.SCORED', data: { ...data, score } } as const];
    return disqualified.has(id) ? scored : [...scored, outcomeEvent(result, data)];
  });
}

function outcomeEvent(
  { agentId: agent, outcome, earningsMicro }: Result,
  data: { project_id: string; submission_id: string },
): NewEvent {
  if (outcome === 'lost') return { agent, type: 'SUBMISSION.LOST', data };
  const type = outcome === 'won' ? 'SUBMISSION.WON' : 'SUBMISSION.SHARED';
  return { agent, type, data: { ...data, amount_micro: earningsMicro } };
}

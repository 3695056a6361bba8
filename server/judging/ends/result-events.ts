import type { NewEvent } from '../../events/public.ts';
import type { Decided, EntryRow } from '../../entries/public.ts';
import { isEligible } from './selection.ts';

type Result = Decided & { agentId: string; score: number | null };

/**
 * Returns what the agents of a decided project are told: the score, which they see from now on, and the outcome. A
 * disqualified agent knows its outcome already.
 */
export function resultEvents(
  projectId: string,
  {
    entries,
    results,
    wallets,
  }: { entries: EntryRow[]; results: Result[]; wallets: ReadonlyMap<string, string | null> },
): NewEvent[] {
  const disqualified = new Set(entries.filter((entry) => !isEligible(entry)).map(({ id }) => id));
  return results.flatMap((result): NewEvent[] => {
    const { id, agentId: agent, score } = result;
    const data = { project_id: projectId, submission_id: id };
    const scored = score === null ? [] : [{ agent, type: 'SUBMISSION.SCORED', data: { ...data, score } } as const];
    return disqualified.has(id)
      ? scored
      : [...scored, outcomeEvent(result, data, (wallets.get(agent) ?? null) !== null)];
  });
}

function outcomeEvent(
  { agentId: agent, outcome, earningsMicro }: Result,
  data: { project_id: string; submission_id: string },
  hasWallet: boolean,
): NewEvent {
  if (outcome === 'lost') return { agent, type: 'SUBMISSION.LOST', data };
  const amount = { ...data, amount_micro: earningsMicro };
  if (outcome === 'won') return { agent, type: 'SUBMISSION.WON', data: { ...amount, has_wallet: hasWallet } };
  return { agent, type: 'SUBMISSION.SHARED', data: amount };
}

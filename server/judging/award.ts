import { lockAgentsForAward, recordResults } from '../agents/rankings/public.ts';
import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { awardPrize, awardShares } from '../payouts/public.ts';
import {
  type JudgedProject,
  markAwarded,
  type Mover,
  type Selection,
  winnerReceivesMicro,
} from '../projects/public.ts';
import { entriesOf, type EntryRow, recordOutcomes } from '../entries/public.ts';
import { decideSplit, decideWinner } from './selection.ts';
import type { Tx } from '../ports/database.ts';

type Award = Mover & {
  project: JudgedProject;
  /** `winner` is null where the prize is split. */
  decision: { selection: Exclude<Selection, 'split'>; winnerId: string } | { selection: 'split'; winnerId: null };
  /** Where the caller has read them already. */
  entries?: EntryRow[];
};

/**
 * Settles who gets the prize, once: the outcome of every entry, the figures of its agents, and what is owed to whom. The
 * caller holds the project's lock and has seen that it is judged and not awarded yet.
 */
export async function award(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { project, decision, actor, at, ...read }: Award,
): Promise<void> {
  const entries = read.entries ?? (await entriesOf(tx, project.id));
  const receivesMicro = winnerReceivesMicro(project.prizeMicro, project.platformFeePpm);
  const { selection, winnerId } = decision;
  const decided =
    winnerId === null ? decideSplit(entries, receivesMicro) : decideWinner(entries, { winnerId, receivesMicro });
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  const results = decided.flatMap((outcome) => {
    const entry = entryById.get(outcome.id);
    return entry
      ? [{ ...outcome, agentId: entry.agentId, score: entry.score, specialization: entry.specialization }]
      : [];
  });
  // In the order of all locks: project, submissions, agents. The statements wait for no answer in between.
  const [, , wallets] = await Promise.all([
    markAwarded(tx, project.id, { selection, winnerSubmissionId: winnerId, at }),
    recordOutcomes(tx, decided, at),
    lockAgentsForAward(
      tx,
      results.map(({ agentId }) => agentId),
    ),
    recordResults(tx, results),
    recordAudit(deps, tx, {
      at,
      actor,
      action: 'project.award',
      subject: `project:${project.id}`,
      details: { selection, winner_submission_id: winnerId, entries: entries.length, receives_micro: receivesMicro },
    }),
  ]);
  const awards = results
    // A prize that is shared by more entries than it has microdollars leaves nothing to send to most of them.
    .filter(({ earningsMicro }) => earningsMicro > 0)
    .map(({ id, agentId, earningsMicro }) => ({
      submissionId: id,
      agentId,
      amountMicro: earningsMicro,
      wallet: wallets.get(agentId) ?? null,
    }));
  const [first] = awards;
  if (selection === 'split') await awardShares(deps, tx, { projectId: project.id, awards, at });
  else if (first) await awardPrize(deps, tx, { projectId: project.id, award: first, at });
}

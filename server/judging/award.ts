import { lockAgentsForAward, recordResults } from '../agents/rankings/public.ts';
import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { owePrize, oweShares } from '../payouts/public.ts';
import {
  type JudgedProject,
  markAwarded,
  type Mover,
  type Selection,
  winnerReceivesMicro,
} from '../projects/public.ts';
import { entriesOf, type EntryRow, recordOutcomes } from '../entries/public.ts';
import { decideSplit, decideWinner, isEligible } from './selection.ts';
import type { Tx } from '../ports/database.ts';

type Award = Mover & {
  project: JudgedProject;
  /** `winnerId` is null if the prize is split. */
  decision: { selection: Exclude<Selection, 'split'>; winnerId: string } | { selection: 'split'; winnerId: null };
  /** The project's entries, if the caller has read them already. */
  entries?: EntryRow[];
};

/**
 * Awards the prize once: writes the outcome of every entry, the stats of its agents, and what is owed to whom. The
 * caller holds the project's lock and has checked that it is in judging and not awarded.
 */
export async function award(
  deps: Pick<Deps, 'newId' | 'config'>,
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
    return entry ? [{ ...outcome, agentId: entry.agentId, score: entry.score, categories: entry.categories }] : [];
  });
  // Locks are taken in the common order: project, submissions, agents. The statements are sent without waiting for each
  // other.
  const [, , wallets] = await Promise.all([
    markAwarded(tx, project.id, { selection, winnerSubmissionId: winnerId, at }),
    recordOutcomes(tx, decided, at),
    lockAgentsForAward(
      tx,
      results.map(({ agentId }) => agentId),
    ),
    recordResults(tx, {
      results,
      project: { ...project, competitors: entries.filter(isEligible).length },
      rule: deps.config.tierRule,
    }),
    recordAudit(deps, tx, {
      at,
      actor,
      action: 'project.award',
      subject: `project:${project.id}`,
      details: { selection, winner_submission_id: winnerId, entries: entries.length, receives_micro: receivesMicro },
    }),
  ]);
  const awards = results
    // If a prize has fewer microdollars than entries, most shares are zero and are not paid.
    .filter(({ earningsMicro }) => earningsMicro > 0)
    .map(({ id, agentId, earningsMicro }) => ({
      submissionId: id,
      agentId,
      amountMicro: earningsMicro,
      wallet: wallets.get(agentId) ?? null,
    }));
  const [first] = awards;
  if (selection === 'split') await oweShares(deps, tx, { projectId: project.id, awards, at });
  else if (first) await owePrize(deps, tx, { projectId: project.id, award: first, at });
}

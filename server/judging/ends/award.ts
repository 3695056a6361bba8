import { lockAgents, recordProjectResults } from '../../agents/public.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import { escrowAccount, postJournal, REVENUE } from '../../ledger/public.ts';
import { requirePrize } from '../../payments/public.ts';
import { owePrize, oweShares } from '../../payouts/public.ts';
import {
  type ProjectRow,
  markAwarded,
  type Mover,
  type Selection,
  winnerReceivesMicro,
} from '../../projects/public.ts';
import { type Decided, entriesOf, type EntryRow, recordOutcomes } from '../../entries/public.ts';
import { complete } from './complete.ts';
import { resultEvents } from './result-events.ts';
import { decideShares, decideWinner, isEligible } from './selection.ts';
import type { Tx } from '../../db/database.ts';

type SharedBy = 'silence' | 'shared';

export type Decision =
  | { selection: Exclude<Selection, SharedBy>; winnerId: string }
  | {
      selection: SharedBy;
      /** The ids of the entries that get equal shares. */
      sharing: ReadonlySet<string>;
      /** The most that one share can be. */
      capMicro?: number;
    };

type Award = Mover & {
  project: ProjectRow;
  decision: Decision;
  /** The project's entries, if the caller has read them already. */
  entries?: EntryRow[];
  /** Why, if a person gave a reason. */
  reason?: string;
};

/**
 * Awards the prize once: writes the outcome of every entry, the stats of its agents, the platform fee, and what is owed to
 * whom. The caller has owed the refunds of entry fees before, holds the project's lock, and has checked that the project is
 * in judging and not awarded.
 */
export async function award(
  deps: Pick<Deps, 'newId' | 'config'>,
  tx: Tx,
  { project, decision, actor, at, reason, ...read }: Award,
): Promise<void> {
  await requirePrize(tx, project.id, 'Nothing was changed');
  const entries = read.entries ?? (await entriesOf(tx, project.id));
  const receivesMicro = winnerReceivesMicro(project.prizeMicro, project.platformFeePpm);
  const { selection } = decision;
  const winnerId = 'winnerId' in decision ? decision.winnerId : null;
  const decided =
    'winnerId' in decision
      ? decideWinner(entries, { winnerId: decision.winnerId, receivesMicro })
      : decideShares(entries, { ...decision, receivesMicro });
  const results = resultsOf(entries, decided);
  // Locks are taken in the common order: project, submissions, agents. The statements are sent without waiting for each
  // other.
  const [, , wallets] = await Promise.all([
    markAwarded(tx, project.id, { selection, winnerSubmissionId: winnerId, at }),
    recordOutcomes(tx, decided, at),
    lockAgents(
      tx,
      results.map(({ agentId }) => agentId),
    ),
    recordProjectResults(deps, tx, {
      results,
      project: { ...project, competitors: entries.filter(isEligible).length },
      rule: deps.config.tierRule,
      at,
    }),
    recordAudit(deps, tx, {
      at,
      actor,
      action: 'project.award',
      subject: `project:${project.id}`,
      ...(reason === undefined ? {} : { reason }),
      details: { selection, winner_submission_id: winnerId, entries: entries.length, receives_micro: receivesMicro },
    }),
  ]);
  await recordEvents(deps, tx, at, resultEvents(project.id, { entries, results, wallets }));
  const awards = results
    // A share can be zero, if a prize has fewer microdollars than entries.
    .filter(({ earningsMicro }) => earningsMicro > 0)
    .map(({ id, agentId, earningsMicro }) => ({
      submissionId: id,
      agentId,
      amountMicro: earningsMicro,
      wallet: wallets.get(agentId) ?? null,
    }));
  const [first] = awards;
  await bookPlatformFee(deps, tx, { projectId: project.id, feeMicro: project.prizeMicro - receivesMicro, at });
  if (winnerId === null) await oweShares(deps, tx, { projectId: project.id, awards, at });
  else if (first) await owePrize(deps, tx, { projectId: project.id, award: first, at });
  // Nobody waits for agents that link no wallet.
  if (winnerId === null && awards.every(({ wallet }) => wallet === null))
    await complete(deps, tx, project, { actor, at });
}

/** Books the platform fee of an award. A negative amount takes it back. */
export async function bookPlatformFee(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, feeMicro, at }: { projectId: string; feeMicro: number; at: Date },
): Promise<void> {
  if (feeMicro === 0) return;
  await postJournal(tx, {
    id: deps.newId(),
    kind: 'platform_fee',
    paymentId: null,
    at,
    lines: [
      { account: escrowAccount(projectId), amountMicro: feeMicro },
      { account: REVENUE, amountMicro: -feeMicro },
    ],
  });
}

function resultsOf(entries: EntryRow[], decided: Decided[]) {
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  return decided.flatMap((outcome) => {
    const entry = entryById.get(outcome.id);
    return entry ? [{ ...outcome, agentId: entry.agentId, score: entry.score }] : [];
  });
}

import { lockAgents, takeBackResults } from '../../agents/public.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import { decidedOf, forgetOutcomes, recordDisqualification } from '../../entries/public.ts';
import { deleteUnsent, isContradicted, lockPrizeOf } from '../../payouts/public.ts';
import { lockProject, markReopened, type Mover, stateConflict, winnerReceivesMicro } from '../../projects/public.ts';
import { bookPlatformFee } from './award.ts';
import type { Tx } from '../../db/database.ts';

type Reopening = Mover & {
  projectId: string;
  reason: string;
  /** Takes the award back only if this is its payout, and while its agent has no linked wallet. */
  unclaimedId?: string;
};

/**
 * Takes an award back whose payout has not moved. The project is judged again, for its judging hours and without the entry
 * that had won, and ends by the usual order. Returns false if an unclaimed award has a recipient by
 * now, or was taken back before.
 *
 * @throws DomainError PROJECT_NOT_FOUND, PROJECT_STATE_CONFLICT
 */
export async function reopenAward(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, actor, at, reason, unclaimedId }: Reopening,
): Promise<boolean> {
  // Locks are taken in the common order: payout, project, submissions, agents.
  const prize = await lockPrizeOf(tx, projectId);
  if (unclaimedId !== undefined && (prize?.id !== unclaimedId || prize.state !== 'waiting')) return false;
  const project = await lockProject(tx, { projectId });
  const { winnerSubmissionId: winnerId } = project;
  if (project.status !== 'judging' || winnerId === null || prize === null)
    throw stateConflict(project.status, 'only an award whose prize is not paid can be reopened');
  if (await isContradicted(tx, prize.id))
    throw stateConflict(project.status, 'the chain shows another end of it, so run a recovery first');
  if (!(await deleteUnsent(tx, prize.id)))
    throw stateConflict(project.status, 'its prize is being sent, so the award is final');
  const results = await decidedOf(tx, projectId);
  await forgetOutcomes(tx, projectId);
  await recordDisqualification(tx, winnerId, { reason, at });
  const agentIds = results.map(({ agentId }) => agentId);
  const wallets = await lockAgents(tx, agentIds);
  const winner = results.find(({ id }) => id === winnerId);
  // Under the agent's lock, so that no wallet can be linked meanwhile. The rollback undoes everything.
  if (unclaimedId !== undefined && winner && wallets.get(winner.agentId))
    throw stateConflict(project.status, 'the agent has linked a wallet and gets the prize');
  await takeBackResults(tx, projectId, agentIds);
  await markReopened(deps, tx, project, at);
  const feeMicro = project.prizeMicro - winnerReceivesMicro(project.prizeMicro, project.platformFeePpm);
  await bookPlatformFee(deps, tx, { projectId, feeMicro: -feeMicro, at });
  await recordAudit(deps, tx, {
    at,
    actor,
    action: 'project.reopen',
    subject: `project:${projectId}`,
    reason,
    details: { submission_id: winnerId, payout_id: prize.id, amount_micro: prize.amountMicro },
  });
  const data = { project_id: projectId, submission_id: winnerId, reason };
  if (winner) await recordEvents(deps, tx, at, [{ agent: winner.agentId, type: 'SUBMISSION.DISQUALIFIED', data }]);
  return true;
}

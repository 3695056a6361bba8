import type { Deps } from '../../deps.ts';
import { submissionIdsOf } from '../../entries/public.ts';
import type { Mover, ProjectRow } from '../../projects/public.ts';
import { cancelWithRefunds } from './cancel-with-refunds.ts';
import type { Tx } from '../../db/database.ts';

type End = Mover & { project: ProjectRow; reason: string };

/**
 * Ends a project in which no entry could win. The fees of confirmed entries go back. The fee of an entry that was never
 * confirmed stays, unless the service kept it from being confirmed. With `everyFee`, all go back: the agents did not have the
 * time that the terms promised.
 */
export async function endWithoutEntry(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { everyFee = false, ...end }: End & { keepFee?: boolean; everyFee?: boolean },
): Promise<void> {
  const keptFees = everyFee ? [] : await keptUnconfirmed(tx, end.project.id);
  await cancelWithRefunds(deps, tx, { ...end, keptFees });
}

/**
 * Ends a project whose poster chose nobody, openly. The prize goes back less the platform fee. Entry fees go back, but not
 * those of entries that the poster scored 1. The service keeps these, so the poster gains nothing by a low score.
 */
export async function endWithoutWinner(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { project, actor, reason, at }: End,
): Promise<void> {
  const [unconfirmed, poor] = [await keptUnconfirmed(tx, project.id), await submissionIdsOf(tx, project.id, 'poor')];
  await cancelWithRefunds(deps, tx, {
    project,
    actor,
    reason: 'no_winner',
    noWinnerReason: reason,
    at,
    keepFee: true,
    keptFees: [...unconfirmed, ...poor],
  });
}

async function keptUnconfirmed(tx: Tx, projectId: string): Promise<string[]> {
  const unserved = new Set(await submissionIdsOf(tx, projectId, 'unserved'));
  return (await submissionIdsOf(tx, projectId, 'unconfirmed')).filter((id) => !unserved.has(id));
}

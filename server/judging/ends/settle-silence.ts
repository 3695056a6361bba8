import type { Deps } from '../../deps.ts';
import { owePrizeRefund } from '../../payouts/public.ts';
import { type ProjectRow, type Mover, winnerReceivesMicro, agreedRules } from '../../projects/public.ts';
import type { EntryRow } from '../../entries/public.ts';
import { award } from './award.ts';
import { endWithoutEntry } from './end-without-winner.ts';
import { refundFees } from './refund-fees.ts';
import { decideShares } from './selection.ts';
import { sharingEntries } from './sharing-entries.ts';
import type { Tx } from '../../db/database.ts';

type Silence = Mover & { project: ProjectRow; entries: EntryRow[] };

/**
 * Ends a project that nobody judged. The fees of all confirmed entries go back. With an entry fee, the eligible entries get
 * equal shares, of at most the cap in the terms of the project, and the poster gets the rest of the prize. Without the cap,
 * the party that registers the most agents would gain. Without any share, the project is canceled. The service keeps its
 * fee, so that silence is not free for the poster.
 */
export async function settleSilence(
  deps: Pick<Deps, 'newId' | 'config'>,
  tx: Tx,
  { project, entries, actor, at }: Silence,
): Promise<void> {
  const projectId = project.id;
  await refundFees(deps, tx, 'confirmed', { projectId, at });
  const receivesMicro = winnerReceivesMicro(project.prizeMicro, project.platformFeePpm);
  const { shareCapMicro: capMicro } = await agreedRules(tx, project.id);
  const sharing = capMicro > 0 ? await sharingEntries(tx, entries) : new Set<string>();
  const sharedMicro = decideShares(entries, { receivesMicro, sharing, capMicro }).reduce(
    (sum, { earningsMicro }) => sum + earningsMicro,
    0,
  );
  if (sharedMicro === 0)
    return await endWithoutEntry(deps, tx, { project, actor, reason: 'silence', at, keepFee: entries.length > 0 });
  await award(deps, tx, { project, decision: { selection: 'silence', sharing, capMicro }, entries, actor, at });
  const restMicro = receivesMicro - sharedMicro;
  if (restMicro > 0) await owePrizeRefund(deps, tx, { projectId, amountMicro: restMicro, at });
}

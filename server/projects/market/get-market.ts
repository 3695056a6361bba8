import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import type { PublicCaller } from '../../callers.ts';
import { earnedTotalMicro, lastWinners, runningPrizes } from './page-queries.ts';
import { winningEntries } from './winning-entries.ts';

type Operation = typeof marketOperations.getMarket;
type Market = Output<Operation>;

const WINNERS = 6;
/** Returns what the market has paid and holds, and its last winners. */
export async function getMarket(
  { reads, mediaUrls, clock }: Context<PublicCaller>,
  _input: Input<Operation>,
): Promise<Market> {
  const [paidOut, running, winners] = await Promise.all([
    earnedTotalMicro(reads),
    runningPrizes(reads, clock.now()),
    lastWinners(reads, WINNERS),
  ]);
  const shown = winners.map(({ submissionId }) => ({ status: 'completed' as const, winnerId: submissionId }));
  const entries = await winningEntries({ reads, mediaUrls }, shown);
  return {
    paid_out_micro: paidOut,
    escrow_micro: running.escrowMicro,
    open_projects: running.open,
    winners: winners.flatMap(({ submissionId, ...winner }) => {
      const entry = entries.get(submissionId);
      if (!entry) return [];
      return {
        project: { id: winner.projectId, title: winner.projectTitle },
        paid_micro: winner.paidMicro,
        tx_hash: winner.txHash,
        settled_at: winner.settledAt,
        entry,
      };
    }),
  };
}

import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context, Deps } from '../../deps.ts';
import type { Db } from '../../ports/database.ts';
import type { PublicCaller } from '../../ports/callers.ts';
import { earnedTotalMicro, lastWinners, runningPrizes } from './page-queries.ts';
import { winningEntries } from './winning-entries.ts';

type Operation = typeof marketOperations.getMarket;
type Market = Output<Operation>;

const WINNERS = 6;
/** How long one answer is shared. Every visitor of the first page asks for it. */
const SHARED_MS = 10_000;

type Shared = { readAt: number; market: Promise<Market> };
const sharedOf = new WeakMap<Db, Shared>();

/** Returns what the market has paid and holds, and its last winners. The answer is up to 10 s old. */
export async function getMarket(ctx: Context<PublicCaller>, _input: Input<Operation>): Promise<Market> {
  const now = ctx.clock.now().getTime();
  const known = sharedOf.get(ctx.views);
  if (known && now >= known.readAt && now - known.readAt < SHARED_MS) return await known.market;
  const market = readMarket(ctx);
  const fresh: Shared = { readAt: now, market };
  sharedOf.set(ctx.views, fresh);
  market.catch(() => {
    if (sharedOf.get(ctx.views) === fresh) sharedOf.delete(ctx.views);
  });
  return await market;
}

async function readMarket({ views, mediaUrls, clock }: Pick<Deps, 'views' | 'mediaUrls' | 'clock'>): Promise<Market> {
  const [paidOut, running, winners] = await Promise.all([
    earnedTotalMicro(views),
    runningPrizes(views, clock.now()),
    lastWinners(views, WINNERS),
  ]);
  const shown = winners.map(({ submissionId }) => ({ status: 'completed' as const, winnerId: submissionId }));
  const entries = await winningEntries({ views, mediaUrls }, shown);
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

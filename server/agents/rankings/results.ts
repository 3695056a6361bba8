import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import type { Tx } from '../../db/database.ts';
import type { TierRule } from '../types.ts';
import { refreshFigures } from './figures-queries.ts';
import {
  deleteTierAwards,
  insertTierAwards,
  moveTierAward,
  raiseTiers,
  type RisenTier,
  updateTierEarned,
} from './tier-queries.ts';

/** A decided project, as far as it matters for the tiers of its agents. */
export type DecidedProject = {
  id: string;
  posterId: string;
  /** Null never occurs in a project that was published. */
  fundingWallet: string | null;
  prizeMicro: number;
  /** The number of agents that competed for the prize. */
  competitors: number;
};

export type AgentResult = { agentId: string; outcome: 'won' | 'lost' | 'shared'; earningsMicro: number };

/**
 * Records the results of a decided project, whose entries have their outcomes, for all agents that entered it. A win can
 * raise an agent's tier immediately.
 */
export async function recordProjectResults(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { results, project, rule, at }: { results: AgentResult[]; project: DecidedProject; rule: TierRule; at: Date },
): Promise<void> {
  const { id: projectId, posterId, fundingWallet } = project;
  const winners = results.filter(({ outcome }) => outcome === 'won').map(({ agentId }) => agentId);
  const agents = results.filter(({ earningsMicro }) => earningsMicro > 0);
  // The statements run in this order on one connection, so raiseTiers reads the new award.
  const [, , risen] = await Promise.all([
    refreshFigures(
      tx,
      results.map(({ agentId }) => agentId),
    ),
    fundingWallet !== null &&
      countsForTier(project, rule) &&
      insertTierAwards(tx, { agents, projectId, posterId, fundingWallet }),
    winners.length > 0 ? raiseTiers(tx, winners, rule) : [],
  ]);
  await announceTiers(deps, tx, risen, at);
}

/** Returns whether an award of the project counts toward a tier. */
function countsForTier({ prizeMicro, competitors }: DecidedProject, { minRivals, minPrizeMicro }: TierRule): boolean {
  return prizeMicro >= minPrizeMicro && competitors > minRivals;
}

/** An award that settled on chain. */
export type Earned = { agentId: string; projectId: string; amountMicro: number; at: Date };

/** Records that an award, which its entry names as paid, counts as earnings of the agent. */
export async function recordEarned(deps: Pick<Deps, 'newId'>, tx: Tx, earned: Earned, rule: TierRule): Promise<void> {
  const { agentId, at } = earned;
  const [, , risen] = await Promise.all([
    refreshFigures(tx, [agentId]),
    updateTierEarned(tx, earned),
    raiseTiers(tx, [agentId], rule),
  ]);
  await announceTiers(deps, tx, risen, at);
}

/** Moves a win that is not paid yet to the agent that the chain shows as paid. The entries have their new outcomes. */
export async function moveWin(
  tx: Tx,
  { from, to, projectId }: { from: string; to: string; projectId: string },
): Promise<void> {
  await Promise.all([refreshFigures(tx, [from, to]), moveTierAward(tx, { from, to, projectId })]);
}

/** Takes the results of a project back, because its award was taken back. The entries have no outcomes any more. */
export async function takeBackResults(tx: Tx, projectId: string, agentIds: string[]): Promise<void> {
  await Promise.all([refreshFigures(tx, agentIds), deleteTierAwards(tx, projectId)]);
}

/** Tells agents of their new tiers. From the event that makes an agent elite, it gets the market's events earlier. */
async function announceTiers(deps: Pick<Deps, 'newId'>, tx: Tx, risen: RisenTier[], at: Date): Promise<void> {
  await recordEvents(
    deps,
    tx,
    at,
    risen.map(({ agentId, tier, previous }) => ({ agent: agentId, type: 'TIER.CHANGED', data: { tier, previous } })),
  );
}

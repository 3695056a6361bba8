import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import { followTiers } from '../../webhooks/endpoints/public.ts';
import type { Tx } from '../../ports/database.ts';
import type { TierRule } from '../../ports/tier-rule.ts';
import { deleteEmptied } from './rankings-queries.ts';
import {
  type AgentResult,
  type Earned,
  lockWallets,
  updateCategoryResults,
  updateEarned,
  updateResults,
} from './result-queries.ts';
import { insertTierAwards, raiseTiers, type RisenTier, tiersOf, updateTierEarned } from './tier-queries.ts';

/**
 * Locks the agents until the transaction ends and returns their linked wallets, or null without one. A concurrent
 * wallet link waits and then finds the award.
 */
export async function lockAgentsForAward(tx: Tx, agentIds: string[]): Promise<Map<string, string | null>> {
  const rows = await lockWallets(tx, agentIds);
  return new Map(rows.map(({ agentId, wallet }) => [agentId, wallet]));
}

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

/**
 * Records the results of a decided project for all agents that entered it. The caller holds their row locks. A win can
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
  // The statements run in this order on one connection, so raiseTiers reads the new award, and moveWebhooks the new tier.
  const [, , , risen] = await Promise.all([
    updateResults(tx, results),
    updateCategoryResults(tx, results),
    fundingWallet !== null &&
      countsForTier(project, rule) &&
      insertTierAwards(tx, { agents, projectId, posterId, fundingWallet }),
    winners.length > 0 ? raiseTiers(tx, winners, rule) : [],
    moveWebhooks(tx, winners),
  ]);
  await announceTiers(deps, tx, risen, at);
}

/** Returns whether an award of the project counts toward a tier. */
function countsForTier({ prizeMicro, competitors }: DecidedProject, { minRivals, minPrizeMicro }: TierRule): boolean {
  return prizeMicro >= minPrizeMicro && competitors > minRivals;
}

/** Records that an award has settled on chain, as earnings of the agent. */
export async function recordEarned(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  earned: Earned & { at: Date },
  rule: TierRule,
): Promise<void> {
  const [emptied, , risen] = await Promise.all([
    updateEarned(tx, earned),
    updateTierEarned(tx, earned),
    raiseTiers(tx, [earned.agentId], rule),
    moveWebhooks(tx, [earned.agentId]),
  ]);
  if (emptied.length > 0) await deleteEmptied(tx, emptied);
  await announceTiers(deps, tx, risen, earned.at);
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

/** The webhooks of agents whose tiers may have risen. Their place follows from the tier that is stored by now. */
async function moveWebhooks(tx: Tx, agentIds: string[]): Promise<void> {
  if (agentIds.length > 0) await followTiers(tx, tiersOf(tx, agentIds));
}

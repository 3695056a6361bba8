import { randomUUIDv7 } from 'node:crypto';
import { OVERALL } from '../../../server/agents/public.ts';
import type { TierRule } from '../../../server/agents/types.ts';
import type { Queryable } from '../../../server/db/database.ts';

/** The rule of a development start: every award counts toward a tier. */
export const EVERY_AWARD: TierRule = { minPosters: 1, minRivals: 0, minPrizeMicro: 0 };

/** Replaces what counts toward an agent's tier by this many wins, of one poster and one funding wallet. */
export async function giveWins(db: Queryable, agentId: string, wins: number): Promise<void> {
  await db`delete from agent_tier_awards where agent_id = ${agentId}`;
  const poster = { id: randomUUIDv7(), wallet: `0x${'e'.repeat(40)}` };
  const projects = Array.from({ length: wins }, () => randomUUIDv7());
  await db`
    insert into agent_tier_awards (agent_id, project_id, poster_id, funding_wallet, won)
    select ${agentId}, project_id, ${poster.id}, ${poster.wallet}, true from unnest(${projects}::uuid[]) project_id`;
}

/** Replaces what counts toward an agent's tier by these earnings, of one project. */
export async function giveEarnings(db: Queryable, agentId: string, micro: number): Promise<void> {
  await db`delete from agent_tier_awards where agent_id = ${agentId}`;
  const award = {
    agent_id: agentId,
    project_id: randomUUIDv7(),
    poster_id: randomUUIDv7(),
    funding_wallet: 'a wallet',
  };
  await db`insert into agent_tier_awards ${db({ ...award, won: false, earned_micro: micro })}`;
}

/** Adds earnings to an agent's figures, overall and in a category, without an entry. */
export async function earn(db: Queryable, agentId: string, micro: number, category: string): Promise<void> {
  await db`
    insert into agent_figures as kept (agent_id, scope, earned_micro)
    select ${agentId}, scope, ${micro} from unnest(${[OVERALL, category]}::text[]) scope
    on conflict (agent_id, scope) do update set earned_micro = kept.earned_micro + excluded.earned_micro`;
}

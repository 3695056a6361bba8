import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';
import { MAX_AMOUNT_MICRO, parseUsdc } from '../../../contract/basics/money.ts';
import { findWebhookOf, markElite, moveWithTier, updateFilter, type WebhookFilter } from './queries.ts';
import { eventsOf, webhookStatusOf } from './webhook-view.ts';
import type { Fragment, Queryable, Tx } from '../../ports/database.ts';

/** Returns the agent's webhooks as the profile lists them. An agent has at most one. */
export async function webhooksOf(db: Queryable, agentId: string) {
  const row = await findWebhookOf(db, agentId);
  return row ? [{ id: row.id, url: row.url, events: eventsOf(row), status: webhookStatusOf(row) }] : [];
}

/**
 * Moves the agents' webhooks to the shards of their tiers. Call it in the transaction that may have raised the tiers.
 * If a fan-out has not reached a webhook in its old shard, a retry row sends the event, because the new shard may be
 * done. A webhook may get an event twice, but never misses one.
 *
 * @param agents a query of `id` and `tier`; the caller has locked these agents
 */
export async function followTiers(tx: Tx, agents: Fragment): Promise<void> {
  await moveWithTier(tx, agents);
  await markElite(tx, agents);
}

/** Updates the filter of the agent's webhook, in the transaction that locked the agent and changed its settings. */
export async function followSettings(tx: Tx, agentId: string, settings: AgentSettings): Promise<void> {
  await updateFilter(tx, agentId, filterOf(settings));
}

/** Returns the webhook's filter, or null if the settings do not filter events. */
export function filterOf(settings: AgentSettings): WebhookFilter | null {
  const { filterWebhooks, minBudget, maxBudget, preferredCategories: categories } = settings;
  if (!filterWebhooks) return null;
  return { minMicro: parseUsdc(minBudget) ?? 0, maxMicro: parseUsdc(maxBudget) ?? MAX_AMOUNT_MICRO, categories };
}

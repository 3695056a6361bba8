import type { Fragment } from 'postgres';
import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';
import { MAX_AMOUNT_MICRO, parseUsdc } from '../../../contract/basics/money.ts';
import { findWebhookOf, moveWithTier, updateFilter, updateSilence, type WebhookFilter } from './queries.ts';
import { eventsOf, statusOf } from './webhook-view.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

/** As the profile lists them: an agent has one or none. */
export async function webhooksOf(db: Queryable, agentId: string) {
  const row = await findWebhookOf(db, agentId);
  return row ? [{ id: row.id, url: row.url, events: eventsOf(row), status: statusOf(row) }] : [];
}

/** With its agent's suspension, in the same transaction: until then nothing is sent. Null: it is sent to again. */
export async function silence(tx: Tx, agentId: string, until: Date | 'forever' | null): Promise<void> {
  await updateSilence(tx, agentId, until);
}

/**
 * After the agents' tiers may have risen, in the same transaction: their webhooks are told as early as the tier says. An
 * event whose fan-out had not come to a webhook in its old part is sent to it apart, since the new part may be done: to
 * be told twice is allowed, not to be told is not.
 *
 * @param agents a query of `id` and `tier`; the caller has locked these agents
 */
export async function followTiers(tx: Tx, agents: Fragment): Promise<void> {
  await moveWithTier(tx, agents);
}

/** After an agent's settings changed, in the same transaction, its row locked: which events its webhook wants from now on. */
export async function followSettings(tx: Tx, agentId: string, settings: AgentSettings): Promise<void> {
  await updateFilter(tx, agentId, filterOf(settings));
}

/** Null when the settings do not filter the webhook. */
export function filterOf(settings: AgentSettings): WebhookFilter | null {
  const { filterWebhooks, minBudget, maxBudget, preferredCategories: categories } = settings;
  if (!filterWebhooks) return null;
  return { minMicro: parseUsdc(minBudget) ?? 0, maxMicro: parseUsdc(maxBudget) ?? MAX_AMOUNT_MICRO, categories };
}

import type { Subscriber } from '../../ports/webhooks.ts';
import type { Tx } from '../../ports/database.ts';
import { settingsOf } from './settings.ts';
import { shareAgent } from './settings-queries.ts';

/**
 * Returns the fields that a webhook copies of its agent; null if there is no such agent. The agent stays unchanged until the
 * transaction ends.
 */
export async function lockSubscriber(tx: Tx, agentId: string): Promise<Subscriber | null> {
  const row = await shareAgent(tx, agentId);
  if (!row) return null;
  const { tier, settings, status, until } = row;
  const silentUntil = status === 'suspended' ? (until ?? 'forever') : null;
  return { tier, settings: settingsOf(settings, tier), silentUntil };
}

import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';
import { settingsOf } from './settings.ts';
import { findParticipation, type ParticipationRow } from './settings-queries.ts';
import { agentNotFound } from './locks.ts';
import type { Queryable } from '../../db/database.ts';

export type Participation = Omit<ParticipationRow, 'settings'> & { settings: AgentSettings };

/**
 * Returns the projects that an agent looks for, and its wallet. The agent cannot enter projects that this wallet
 * funded.
 *
 * @throws DomainError AGENT_NOT_FOUND
 */
export async function participationOf(db: Queryable, agentId: string): Promise<Participation> {
  const row = await findParticipation(db, agentId);
  if (!row) throw agentNotFound();
  return { ...row, settings: settingsOf(row.settings, row.tier) };
}

import type { AgentSettings } from '../../../contract/agent-settings.ts';
import { settingsOf } from './settings.ts';
import { findParticipation, type Participation as Row } from './settings-queries.ts';
import { agentNotFound } from './locks.ts';
import type { Queryable } from '../../ports/database.ts';

export type Participation = Omit<Row, 'settings'> & { settings: AgentSettings };

/** What an agent looks for, and the wallet that may not have funded it. @throws DomainError AGENT_NOT_FOUND */
export async function participationOf(db: Queryable, agentId: string): Promise<Participation> {
  const row = await findParticipation(db, agentId);
  if (!row) throw agentNotFound();
  return { ...row, settings: settingsOf(row.settings) };
}

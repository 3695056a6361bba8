import { type StoredSettings, settingsOf } from './settings.ts';
import type { JSONValue, Queryable, Tx } from '../../db/database.ts';
import type { Tier } from '../../callers.ts';
import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';
import { agentNotFound } from './locks.ts';

/** Locks the agent's row, so concurrent profile changes run one after the other and none is lost. */
export async function lockSettings(tx: Tx, agentId: string): Promise<{ tier: Tier; settings: StoredSettings } | null> {
  const [row] = await tx<{ tier: Tier; settings: StoredSettings }[]>`
    select tier, settings from agents where id = ${agentId} for no key update`;
  return row ?? null;
}

export type ProfileChange = {
  name?: string | undefined;
  avatarSeed?: string | null | undefined;
  description?: string | undefined;
  specializations?: string[] | undefined;
  settings?: StoredSettings | undefined;
  modelInfo?: JSONValue | undefined;
};

export async function writeProfile(tx: Tx, agentId: string, change: ProfileChange): Promise<void> {
  const { name, avatarSeed, description, specializations, settings, modelInfo } = change;
  const columns = {
    ...(name === undefined ? {} : { name }),
    ...(avatarSeed === undefined ? {} : { avatar_seed: avatarSeed }),
    ...(description === undefined ? {} : { description }),
    ...(specializations === undefined ? {} : { specializations }),
    ...(settings === undefined ? {} : { settings: tx.json(settings) }),
    ...(modelInfo === undefined ? {} : { model_info: modelInfo === null ? null : tx.json(modelInfo) }),
  };
  if (Object.keys(columns).length > 0) await tx`update agents set ${tx.set(columns)} where id = ${agentId}`;
}

export type ParticipationRow = {
  tier: Tier;
  specializations: string[];
  settings: StoredSettings;
  walletAddress: string | null;
};

async function findParticipation(db: Queryable, agentId: string): Promise<ParticipationRow | null> {
  const [row] = await db<ParticipationRow[]>`
    select tier, specializations, settings, wallet_address as "walletAddress" from agents where id = ${agentId}`;
  return row ?? null;
}

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

import type { JSONValue } from '../../db/database.ts';
import { type SettingsChange, settingsChange } from '../../../contract/agents/agent-settings.ts';
import type { agentOperations } from '../../../contract/agents/agents.ts';
import { DomainError, type ErrorDetail, validationError } from '../../../contract/basics/errors.ts';
import type { Input } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { changedSettings, invalidSettings, type StoredSettings } from './settings.ts';
import { specializationCatalog, specializationFaults } from './specializations.ts';
import { lockExistingAgent } from './locks.ts';
import type { Tx } from '../../db/database.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof agentOperations.updateMe;
type Body = Input<Operation>['body'];

// A body can hold thousands of unknown fields. The answer names the first 50.
const MAX_NAMED_FIELDS = 50;
const MAX_NAME_LENGTH = 200;

/**
 * Changes the given parts of the caller's profile in one transaction that locks the agent's row.
 *
 * @throws DomainError UPDATE_FORBIDDEN, INVALID_SETTINGS, VALIDATION_ERROR, AGENT_NOT_FOUND
 */
export async function updateProfile(ctx: Context<AgentCaller>, body: Body): Promise<void> {
  const { agentId } = ctx.caller;
  const { agent_name: name, avatar_seed: avatarSeed, description, specializations } = body;
  const modelInfo = body.model_info as JSONValue | undefined;
  const change = await readSettings(ctx, body);
  const faults = await specializationFaults(ctx, specializations ?? []);
  if (faults.length > 0) throw validationError(faults);
  await withTransaction(ctx.db, async (tx) => {
    const agent = await lockExistingAgent(tx, agentId);
    const settings = change && changedSettings(agent.settings, change, agent.tier);
    await writeProfile(tx, agentId, { name, avatarSeed, description, specializations, settings, modelInfo });
  });
}

type ProfileChange = {
  name?: string | undefined;
  avatarSeed?: string | null | undefined;
  description?: string | undefined;
  specializations?: string[] | undefined;
  settings?: StoredSettings | undefined;
  modelInfo?: JSONValue | undefined;
};

async function writeProfile(tx: Tx, agentId: string, change: ProfileChange): Promise<void> {
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

/**
 * Parses the settings to change. Category names get the spelling of the catalog.
 *
 * @throws DomainError UPDATE_FORBIDDEN for a field that does not exist or cannot be changed; INVALID_SETTINGS
 */
async function readSettings(ctx: Context<AgentCaller>, body: Body): Promise<SettingsChange | undefined> {
  const {
    agent_name: _n,
    avatar_seed: _a,
    description: _d,
    specializations: _s,
    model_info: _m,
    settings,
    ...others
  } = body;
  const parsed = settings === undefined ? undefined : settingsChange.safeParse(settings);
  const issues = parsed?.error?.issues ?? [];
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ['settings', ...issue.path, key].join('.')) : [],
  );
  requireChangeable([...Object.keys(others), ...unknown]);
  if (issues.length > 0) {
    const fields = Map.groupBy(issues, ({ path }) => ['settings', ...path].join('.'));
    const details = [...fields].map(([field, [first]]) => ({ field, message: first?.message ?? 'out of range' }));
    throw invalidSettings(details.slice(0, MAX_NAMED_FIELDS));
  }
  const change = parsed?.data;
  if (!change?.preferredCategories) return change;
  return { ...change, preferredCategories: await knownCategories(ctx, change.preferredCategories) };
}

function requireChangeable(forbidden: string[]): void {
  if (forbidden.length === 0) return;
  const names = forbidden.slice(0, MAX_NAMED_FIELDS).map(shortened);
  const more = forbidden.length > names.length ? ` and ${forbidden.length - names.length} more` : '';
  const details = names.map((field): ErrorDetail => ({ field, message: 'cannot be changed' }));
  throw new DomainError('UPDATE_FORBIDDEN', `These fields cannot be changed: ${names.join(', ')}${more}.`, {
    details,
  });
}

function shortened(field: string): string {
  return field.length <= MAX_NAME_LENGTH ? field : `${field.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}

async function knownCategories(ctx: Context<AgentCaller>, given: string[]): Promise<string[]> {
  const catalog = await specializationCatalog(ctx);
  const categories = [...new Set([...catalog.values()].map(({ category }) => category))].toSorted();
  const known = given.map((name) =>
    categories.find((category) => category.toLowerCase() === name.trim().toLowerCase()),
  );
  if (known.includes(undefined)) {
    const message = `must be one of: ${categories.join(', ')}`;
    throw invalidSettings([{ field: 'settings.preferredCategories', message }]);
  }
  // In the order of the request, each category once.
  return [...new Set(known.filter((category) => category !== undefined))];
}

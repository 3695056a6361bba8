import postgres from 'postgres';
import { createPool } from '../../server/db/pool.ts';
import { figuresByCategory, figuresByDay } from '../../server/views/agents/analytics-queries.ts';
import { listLeaders } from '../../server/views/leaderboard/leaderboard-queries.ts';
import { countRegisteredAgents, listRankings } from '../../server/agents/rankings/rankings-queries.ts';
import { listHistoryRows, listLatestScores, sumEntries } from '../../server/views/history/history-queries.ts';
import type { Db } from '../../server/ports/database.ts';
import { findProfile } from '../../server/views/agents/profile-queries.ts';

const DAY_MS = 86_400_000;

/** Returns the statements that the service runs for an agent, each with its executed generic plan. */
export async function accountPlans(databaseUrl: string, agentId: string): Promise<string> {
  const statements = await recorded(databaseUrl, agentId);
  const db = createPool({ url: databaseUrl, connections: 1 });
  const plans: string[] = [];
  try {
    for (const { name, text, values } of statements)
      plans.push(`**${name}**\n\n\`\`\`\n${await planOf(db, text, values)}\n\`\`\``);
  } finally {
    await db.end();
  }
  return plans.join('\n\n');
}

type Statement = { name: string; text: string; values: unknown[] };

/** Runs the service's own functions on a pool that records the statements. */
async function recorded(databaseUrl: string, agentId: string): Promise<Statement[]> {
  let last: Omit<Statement, 'name'> | null = null;
  const debug = (_connection: number, text: string, values: unknown[]) => {
    if (!text.includes('pg_catalog')) last = { text, values };
  };
  const db = postgres(databaseUrl, { max: 1, debug }) as unknown as Db;
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const filter = { agentId, category: undefined, status: undefined, from: undefined, to: undefined };
  const span = { agentId, from: ago(60), until: now };
  const reads: Record<string, () => Promise<unknown>> = {
    'Profile: the agent and its last days': () => findProfile(db, agentId, { days7: ago(7), days30: ago(30) }),
    'Profile: rankings, over all and by category': () => listRankings(db, agentId),
    'Profile: agents in all': () => countRegisteredAgents(db),
    'History: a page': () => listHistoryRows(db, filter, { after: null, offset: 0, limit: 21 }),
    'History: the summary': () => sumEntries(db, filter),
    'History: the latest scores': () => listLatestScores(db, filter, 20),
    'Analytics: by day, 30 days and the 30 before': () => figuresByDay(db, span),
    'Analytics: by category': () => figuresByCategory(db, span),
    'Leaderboard: a page': () => listLeaders(db, { category: null, after: null, limit: 21 }),
  };
  const statements: Statement[] = [];
  try {
    for (const [name, read] of Object.entries(reads)) {
      await read();
      if (last === null) throw new Error(`nothing was sent for ${name}`);
      statements.push({ name, ...(last as Omit<Statement, 'name'>) });
    }
  } finally {
    await db.end();
  }
  return statements;
}

async function planOf(db: Db, text: string, values: unknown[]): Promise<string> {
  const connection = await db.reserve();
  try {
    await connection.unsafe('set plan_cache_mode = force_generic_plan');
    await connection.unsafe(`prepare shown as ${text}`);
    const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
    const lines = await connection.unsafe<{ 'QUERY PLAN': string }[]>(
      `explain (analyze, buffers, costs off) execute shown${given}`,
    );
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  } finally {
    await connection.unsafe('deallocate shown').catch(() => {});
    connection.release();
  }
}

/** Writes a value as an SQL literal. It supports the types that these statements use. */
function literal(value: unknown): string {
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (typeof value === 'number') return String(value);
  return `'${String(value)}'`;
}

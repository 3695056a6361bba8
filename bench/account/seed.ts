import { randomBytes } from 'node:crypto';
import { issueKey } from '../../server/keys/format.ts';
import type { SeededAgent } from '../seed.ts';
import type { Db } from '../../server/ports/database.ts';

export type AccountSize = {
  /** The number of agents. There are as many projects, and each agent has ten entries. */
  agents: number;
  /** The number of entries of one additional agent. */
  heavyEntries: number;
};

type Connection = Pick<Db, 'unsafe'>;

/** Derives ids from numbers, so that loading needs no lookups or joins. */
const idOf = (kind: 8 | 9 | 'a' | 'b', number: string) =>
  `('01900000-0000-7000-${kind}000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

const ENTRIES_EACH = 10;
const LOADED = ['projects', 'submissions', 'agents', 'agent_categories', 'earnings_ranks'];

/**
 * Loads agents with a year of activity: nine in ten entries are decided, and each agent has one paid win. Triggers and
 * foreign keys are off, and the indexes follow the rows. The stats follow the same rules as events would, so the
 * nightly check finds no difference.
 */
export async function seedAccounts(pool: Db, { agents, heavyEntries }: AccountSize): Promise<void> {
  const connection = await pool.reserve();
  const run = async (text: string) => await connection.unsafe(text);
  try {
    await run('set statement_timeout = 0');
    await run("set maintenance_work_mem = '1GB'");
    await run("set work_mem = '256MB'");
    await run('set session_replication_role = replica');
    await loadProjects(connection, agents);
    await withoutIndexes(connection, ['submissions', 'agents', 'agent_categories', 'earnings_ranks'], async () => {
      await run(entriesStatement(agents, `generate_series(0, ${ENTRIES_EACH - 1}) as turn`));
      await run(heavyStatement(agents, heavyEntries));
      await loadStats(connection, agents);
    });
    await run('set session_replication_role = origin');
    await run(`vacuum (analyze) ${LOADED.join(', ')}`);
    await run('checkpoint');
  } finally {
    await run('reset all');
    connection.release();
  }
}

/** Loads the rows first and creates the indexes afterwards. Indexes of constraints stay. */
async function withoutIndexes(connection: Connection, tables: string[], load: () => Promise<void>): Promise<void> {
  const indexes = await connection.unsafe<{ name: string; definition: string }[]>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in (${tables.map((table) => `'${table}'`).join(', ')})
       and indexname not in (select conname from pg_constraint)`,
  );
  for (const { name } of indexes) await connection.unsafe(`drop index ${name}`);
  await load();
  for (const { definition } of indexes) await connection.unsafe(definition);
}

async function loadProjects(connection: Connection, agents: number): Promise<void> {
  await connection.unsafe(
    `insert into posters (id, name, created_at) values (${idOf('b', '0')}, 'Poster', now() - interval '2 years')`,
  );
  await connection.unsafe(`
    insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm,
      specializations, item_count, style_references, color_preferences, size_requirements, tags, ai_analysis,
      auto_select_deadline, judging_hours, status, total_submissions, network, asset, pay_to, funding_wallet,
      created_at, updated_at, published_at, visible_at, completed_at, card)
    select ${idOf(9, 'n')}, ${idOf('b', '0')}, 'A logo for a bakery, number ' || n, 'We need a logo for a bakery.', 'PNG, no text',
      5000000 + n % 1000 * 10000, 250000, 50000, array[ids[1 + n % cardinality(ids)]], 1, '{}', array['navy', 'sand'],
      '1024x1024', array['brand'], '{"complexity_score": 3.2, "estimated_hours": 4.5}', made + interval '7 days', 72,
      'completed', ${ENTRIES_EACH}, 'eip155:84532', wallet, wallet, wallet, made, made, made, made, made + interval '8 days', '{}'
    from (
      select n, now() - interval '370 days' + (n * 7919::bigint % 360) * interval '1 day' as made, '0x' || repeat('a', 40) as wallet
      from generate_series(0, ${agents} - 1) n
    ) made_up, (select array_agg(id order by id) as ids from specializations) s`);
}

/**
 * Returns the statement that loads the entries. Entry number `turn` of project `p` belongs to agent p - turn × a tenth
 * of all agents. Each project has ten different agents, and each agent has ten entries.
 */
function entriesStatement(agents: number, turns: string): string {
  return insertStatement(
    `select p, turn, ((p - turn * ${agents / ENTRIES_EACH} + ${agents}) % ${agents})::integer as agent
     from generate_series(0, ${agents} - 1) p, ${turns}`,
    `p * ${ENTRIES_EACH}::bigint + turn`,
  );
}

function heavyStatement(agents: number, entries: number): string {
  return insertStatement(
    `select p, (p % ${ENTRIES_EACH})::integer as turn, ${agents} as agent from generate_series(0, ${entries} - 1) p`,
    `${agents * ENTRIES_EACH}::bigint + p`,
  );
}

function insertStatement(who: string, number: string): string {
  return `
    insert into submissions (id, project_id, agent_id, title, status, entry_fee_paid_micro, created_at, submitted_at,
      generation_time_seconds, categories, score, score_source, scored_at, feedback, outcome, rank, earnings_micro,
      decided_at, paid_at)
    select ${idOf('a', number)}, ${idOf(9, 'p')}, ${idOf(8, 'agent')}, 'Lighthouse at dusk', 'submitted', 250000,
      entered - interval '5 minutes', entered, 300, array[names[1 + p % cardinality(names)]],
      case when turn > 0 then 1 + (p + turn) % 5 end, case when turn > 0 then 'poster' end,
      case when turn > 0 then entered + interval '1 day' end, case when turn > 0 then 'Calm water, one boat.' end,
      case when turn = 0 then null when turn = 1 then 'won' when turn = 2 and p % 5 = 0 then 'cancelled' else 'lost' end,
      case when turn > 0 then turn end, case when turn = 1 then 4750000 + (p * 7919::bigint % 1000000) * 95 else 0 end,
      case when turn > 0 then entered + interval '1 day' end, case when turn = 1 then entered + interval '25 hours' end
    from (
      select *, date_trunc('millisecond', now()) - interval '2 days' - (p * 7919::bigint % 360) * interval '1 day'
        - turn * interval '17 minutes' as entered
      from (${who}) pairs
    ) entries, (select array_agg(category order by id) as names from specializations) s`;
}

/** Computes the stats from the submissions, as the nightly check does. */
async function loadStats(connection: Connection, agents: number): Promise<void> {
  await connection.unsafe(`
    insert into agents (id, name, description, specializations, tier, settings, created_at, last_active_at, total_wins,
      earned_micro, pending_micro, scored_count, score_sum, success_streak, longest_streak, total_projects, total_submissions)
    select ${idOf(8, 'n')}, 'Agent ' || n, 'Draws logos, posters and patterns for small teams, number ' || n,
      array['logo-design', 'poster-design'], 'pro', '{"autoParticipate":false,"maxConcurrentProjects":3,"minBudget":0,"maxBudget":1000,"preferredCategories":[],"workingHours":{"timezone":"UTC","start":"00:00","end":"23:59","weekends":true}}',
      now() - interval '1 year', now(), wins, earned, 0, scored, score_sum, 0, least(wins, 1), projects, projects
    from generate_series(0, ${agents}) n join (
      select agent_id, count(*) as projects, count(*) filter (where outcome = 'won') as wins, sum(earnings_micro) as earned,
        count(score) filter (where outcome <> 'cancelled') as scored,
        coalesce(sum(score) filter (where outcome <> 'cancelled'), 0) as score_sum
      from submissions group by agent_id
    ) stats on agent_id = ${idOf(8, 'n')}`);
  await connection.unsafe(`
    insert into agent_categories (agent_id, category, submissions, wins, earned_micro, scored_count, score_sum)
    select agent_id, category, count(*), count(*) filter (where outcome = 'won'), sum(earnings_micro),
      count(score) filter (where outcome <> 'cancelled'), coalesce(sum(score) filter (where outcome <> 'cancelled'), 0)
    from submissions s cross join unnest(s.categories) category group by 1, 2`);
  await connection.unsafe(`
    insert into earnings_ranks (scope, level, bucket, agents)
    select scope, level, earned_micro >> (6 * level), count(*)
    from (
      select 'overall' as scope, earned_micro from agents union all select category, earned_micro from agent_categories
    ) earned, generate_series(0, 8) level
    where earned_micro > 0 group by 1, 2, 3`);
  await connection.unsafe(`
    update agent_counts set agents = counted.count
    from (select get_byte(uuid_send(id), 15) & 63 as stripe, count(*) as count from agents group by 1) counted
    where counted.stripe = agent_counts.stripe`);
}

/** Creates keys for agents spread over the table. The last key belongs to the agent with the many entries. */
export async function seedReaders(
  db: Db,
  { agents, readers }: { agents: number; readers: number },
): Promise<SeededAgent[]> {
  const numbers = [
    ...Array.from({ length: readers }, (_, index) => Math.floor(((index + 0.5) * agents) / readers)),
    agents,
  ];
  const keys = numbers.map(() => issueKey('ck_test', randomBytes));
  const rows = await db<{ id: string }[]>`
    insert into agent_keys (id, agent_id, secret_hash, created_at)
    select key_id, ${db.unsafe(idOf(8, 'number'))}, decode(hash, 'hex'), now()
    from unnest(${keys.map(({ id }) => id)}::text[], ${numbers}::bigint[], ${keys.map(({ secretHash }) => secretHash)}::text[])
      as k (key_id, number, hash)
    returning agent_id as id`;
  return rows.map(({ id }, index) => ({ id, key: keys[index]!.key }));
}

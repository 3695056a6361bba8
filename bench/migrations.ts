import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { migrate } from '../server/db/migrate.ts';
import { createPool } from '../server/db/pool.ts';
import { startPostgres } from '../server/devnet/postgres.ts';
import { projectsStatement } from './seed.ts';
import type { Db } from '../server/ports/database.ts';

// Measures how long each migration takes on a large database of an older version:
//   node bench/migrations.ts [--projects 200000] [--from 0013_judging.sql]

const FOLDER = join(import.meta.dirname, '..', 'server', 'migrations');
/** What /proc counts CPU time in. */
const TICKS_PER_SECOND = 100;
/** How many entries each project has; each has a picture and a paid fee. */
const ENTRIES = 2;

const { values: options } = parseArgs({
  options: { projects: { type: 'string', default: '200000' }, from: { type: 'string', default: '0013_judging.sql' } },
});
const projects = Number(options.projects);
const agents = Math.max(ENTRIES, Math.round(projects / 20));

const dataDir = await mkdtemp(join(tmpdir(), 'concours-migrations-'));
const log = pino({ level: 'warn' }, pino.destination(2));
const postgres = await startPostgres({ dataDir, password: randomBytes(12).toString('hex'), log });
const db = createPool({ url: postgres.url, connections: 2 });
try {
  await migrate(db, { last: options.from });
  await db`set statement_timeout = 0`;
  await fill(db);
  console.log(
    `${projects} projects, ${projects * ENTRIES} entries, ${agents} agents: ${await size(db)} of tables and indexes`,
  );
  const later = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql') && name > options.from).toSorted();
  const start = await used(db);
  for (const last of later) {
    const from = await used(db);
    await migrate(db, { last });
    console.log(`${last.padEnd(36)} ${since(from, await used(db))}`);
  }
  console.log(`${'all'.padEnd(36)} ${since(start, await used(db))}; afterwards ${await size(db)}`);
} finally {
  await db.end({ timeout: 1 });
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

type Used = { atMs: number; cpuS: number | null };

/** The time, and the CPU time of PostgreSQL's process for this connection, which depends less on other work. Linux only. */
async function used(of: Db): Promise<Used> {
  const [row] = await of<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const stat = await readFile(`/proc/${row?.pid ?? ''}/stat`, 'utf8').catch(() => null);
  const [user, system] = stat?.split(' ').slice(13, 15).map(Number) ?? [];
  const cpuS = user === undefined || system === undefined ? null : (user + system) / TICKS_PER_SECOND;
  return { atMs: performance.now(), cpuS };
}

function since(from: Used, to: Used): string {
  const cpu = from.cpuS === null || to.cpuS === null ? '' : `, ${(to.cpuS - from.cpuS).toFixed(1)} s of CPU`;
  return `${((to.atMs - from.atMs) / 1_000).toFixed(1)} s${cpu}`;
}

async function size(of: Db): Promise<string> {
  const [row] = await of<{ size: string }[]>`select pg_size_pretty(pg_database_size(current_database())) as size`;
  return row?.size ?? '';
}

/** A year of projects, most of them ended, as version 0.1.0 could have left them. */
async function fill(into: Db): Promise<void> {
  const [asset, payTo] = ['asset', 'treasury'].map((name) => `0x${hex(name).slice(0, 40)}`) as [string, string];
  const network = 'eip155:84532';
  await into`
    insert into agents (id, name, description, specializations, settings, created_at, last_active_at)
    select uuidv7(), 'Agent ' || n, 'Draws', '{logo-design}', '{"maxConcurrentProjects": 5}', now(), now()
    from generate_series(1, ${agents}::int) n`;
  await into`
    insert into posters (id, name, created_at)
    select uuidv7(), 'Poster ' || n, now() - interval '2 years' from generate_series(1, 500) n`;
  await into.unsafe(projectsStatement({ projects, network, asset, payTo, terms: false }));
  // Without triggers and foreign keys, loading takes a third of the time. No migration reads journals, which are missing.
  await into`set session_replication_role = replica`;
  await into`
    insert into project_listings (spec_key, status, created_at, visible_at, prize_micro, entry_fee_micro, project_id)
    select listing_keys(specializations), status, created_at, visible_at, prize_micro, entry_fee_micro, id from projects`;
  await into`
    insert into project_transitions (project_id, from_status, to_status, actor, at)
    select id, 'open', status, 'timer', updated_at from projects where status in ('completed', 'cancelled')`;
  await into`
    insert into submissions (id, project_id, agent_id, title, status, specialization, entry_fee_paid_micro, created_at,
      submitted_at, outcome, decided_at, earnings_micro, paid_at)
    select uuidv7(), p.id, a.id, 'Entry', 'submitted', p.specializations[1], p.entry_fee_micro, p.created_at, p.updated_at,
      case p.status when 'completed' then case n when 1 then 'won' else 'lost' end when 'cancelled' then 'cancelled' end,
      case when p.completed_at is not null then p.completed_at end,
      case when p.status = 'completed' and n = 1 then p.prize_micro * 95 / 100 else 0 end,
      case when p.status = 'completed' and n = 1 then p.completed_at end
    from (select *, row_number() over (order by id) as place from projects) p
      cross join generate_series(1, ${ENTRIES}::int) n
      join (select id, row_number() over (order by id) - 1 as place from agents) a
        on a.place = (p.place * ${ENTRIES}::int + n) % ${agents}::int`;
  await into`
    insert into media_files (id, submission_id, upload_key, original_key, original_name, content_type, size_bytes, status,
      created_at, expires_at, completed_at, upload_removed, sha256, perceptual_hash, width, height)
    select uuidv7(), id, 'uploads/' || id, 'originals/' || id, 'entry.png', 'image/png', 100000, 'completed',
      created_at, created_at, submitted_at, true, sha256(uuid_send(id)), hashtextextended(id::text, 0), 1024, 1024
    from submissions`;
  await into`
    insert into payments (id, kind, subject_id, network, asset, payer, pay_to, amount_micro, auth_nonce, valid_before,
      x402_version, payload, requirements, from_block, state, tx_hash, log_index, block_number, created_at, updated_at,
      settled_at, watched, sweep_at)
    select uuidv7(), 'entry_fee', id, ${network}, ${asset}, '0x' || substr(encode(sha256(uuid_send(agent_id)), 'hex'), 1, 40),
      ${payTo}, entry_fee_paid_micro, '0x' || encode(sha256(uuid_send(id)), 'hex'), 0, 2, '{}', '{}', 1, 'settled',
      '0x' || encode(sha256(uuid_send(id)), 'hex'), 1, 1, created_at, created_at, created_at, false, created_at
    from submissions where entry_fee_paid_micro > 0`;
  await into`
    insert into payouts (id, reference, kind, project_id, submission_id, agent_id, amount_micro, debit_account, recipient,
      state, due_at, created_at, updated_at, sent_at, settled_at, tx_hash)
    select uuidv7(), 'project:' || project_id || ':prize', 'prize', project_id, id, agent_id, earnings_micro,
      'escrow:' || project_id, '0x' || substr(encode(sha256(uuid_send(agent_id)), 'hex'), 1, 40), 'settled',
      paid_at, paid_at, paid_at, paid_at, paid_at, '0x' || encode(sha256(uuid_send(project_id)), 'hex')
    from submissions where outcome = 'won'`;
  await into`reset session_replication_role`;
  await into.unsafe('vacuum (analyze)');
  await into.unsafe('checkpoint');
}

function hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

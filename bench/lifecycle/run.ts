import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import { USDC_ADDRESS } from '../../server/devnet/chain.ts';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { startChild } from '../child.ts';
import type { LifecycleResult } from './peer.ts';
import { machine } from '../report.ts';
import { seedMarketplace } from '../seed.ts';
import type { Db } from '../../server/ports/database.ts';

// npm run bench:lifecycle -- [--projects 10000] [--processes 2]
// Measures projects that are all due in the same second, while the timers of several processes advance them. Of every
// eight projects, four take their last entries and start judging. Two are awarded by their scores, one is split, and
// one is canceled with a refund of its prize.

const { values: options } = parseArgs({
  options: {
    projects: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '2' },
  },
});
const [projects, processes] = [Number(options.projects), Number(options.processes)];
const CONNECTIONS = 10;
const ENTRIES_EACH = 3;

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'concours-bench-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const postgres = await startPostgres({ dataDir, password: randomBytes(12).toString('hex'), log });
  const db = createPool({ url: postgres.url, connections: 2 });
  const children = Array.from({ length: processes }, () =>
    startChild('lifecycle/peer.ts', { url: postgres.url, connections: CONNECTIONS }),
  );
  try {
    await migrate(db);
    await db.unsafe(
      `do $$ begin execute format('alter role current_user in database %I reset all', current_database()); end $$`,
    );
    const payTo = `0x${'a'.repeat(40)}`;
    const market = { projects, agents: 2000, network: 'eip155:84532', asset: USDC_ADDRESS.toLowerCase(), payTo };
    await seedMarketplace(db, market);
    await makeDue(db);
    await Promise.all(children.map((child) => child.ask('connect')));
    const results = await Promise.all(children.map((child) => child.ask<LifecycleResult>('advance')));
    await report(db, results);
  } finally {
    for (const child of children) await child.stop();
    await db.end({ timeout: 1 });
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Creates the projects of each kind. Judged projects have scores or none, and the older terms, whose split pays every
 * entry. Projects to cancel have their prize in the ledger.
 */
async function makeDue(pool: Db): Promise<void> {
  await pool.begin(async (db) => {
    await db`set local statement_timeout = 0`;
    await db`
      create table bench_kinds as
      select id as project_id, row_number() over (order by id) as n,
        (array['open', 'open', 'open', 'open', 'scores', 'scores', 'split', 'empty'])[1 + row_number() over (order by id) % 8] as kind
      from projects`;
    await db`
      update projects
      set status = case when kind in ('open', 'empty') then 'open' else 'judging' end, due_at = date_trunc('second', now()), terms = 1,
        auto_select_deadline = date_trunc('second', now()) - interval '1 minute', completed_at = null, total_submissions = 0,
        closed_at = case when kind in ('scores', 'split') then now() end,
        judging_ends_at = case when kind in ('scores', 'split') then date_trunc('second', now()) end
      from bench_kinds where project_id = id`;
    await db`
      update project_listings set status = projects.status from projects where projects.id = project_listings.project_id`;
    await db`
      insert into submissions (id, project_id, agent_id, title, status, entry_fee_paid_micro, created_at, submitted_at,
        score, score_source, scored_at)
      select uuidv7(), project_id, agents.list[1 + (n * 7 + entry * 13) % cardinality(agents.list)], 'Lighthouse at dusk',
        'submitted', 250000, now(), now() - interval '1 hour' + entry * interval '1 second',
        case when kind = 'scores' then 1 + (n + entry) % 5 end, case when kind = 'scores' then 'poster' end,
        case when kind = 'scores' then now() end
      from bench_kinds, generate_series(1, ${ENTRIES_EACH}::int) entry, (select array_agg(id) as list from agents) agents
      where kind <> 'empty'`;
    await db`insert into ledger_accounts (id, side) values ('treasury', 'debit') on conflict do nothing`;
    await db`
      insert into ledger_accounts (id, side) select 'escrow:' || project_id, 'credit' from bench_kinds where kind = 'empty'`;
    await db`
      insert into payments (id, kind, subject_id, network, asset, payer, pay_to, amount_micro, auth_nonce, valid_before,
        x402_version, payload, requirements, from_block, state, tx_hash, log_index, block_number, settled_at, created_at,
        updated_at, sweep_at, watched)
      select id, 'escrow', id, network, asset, funding_wallet, pay_to, prize_micro, hash, 4000000000, 2, '{}', '{}', 1,
        'settled', hash, 0, 1, now(), now(), now(), now(), false
      from projects, bench_kinds, lateral (select '0x' || lpad(to_hex(n), 64, '0') as hash) hashed
      where project_id = id and kind = 'empty'`;
    await db`
      insert into ledger_journals (id, kind, payment_id, lines, created_at)
      select id, 'escrow', id, 2, now() from payments`;
    await db`
      insert into ledger_entries (journal_id, line, account_id, amount_micro)
      select id, 1, 'treasury', amount_micro from payments
      union all select id, 2, 'escrow:' || id, -amount_micro from payments`;
  });
  await pool`vacuum (analyze) projects, project_listings, submissions, payments, ledger_entries`;
  await pool.unsafe('checkpoint');
}

async function report(db: Db, results: LifecycleResult[]): Promise<void> {
  const moved = results.map((result) => result.moved);
  const total = moved.reduce((sum, each) => sum + each, 0);
  const startedAt = Math.min(...results.map((result) => result.startedAt));
  const seconds = (Math.max(...results.map((result) => result.endedAt)) - startedAt) / 1000;
  const became = await db<{ became: string; count: number; wrong: number }[]>`
    select case when selection is not null then selection else status end as became, count(*) as count,
      count(*) filter (where status = 'draft' or transitions + (selection is not null)::integer <> 1
        or owed <> case kind when 'open' then 0 when 'split' then ${ENTRIES_EACH}::int else 1 end) as wrong
    from projects join bench_kinds on project_id = id, lateral (
      select count(*) as transitions from project_transitions where project_id = projects.id
    ) log, lateral (select count(*) as owed from payouts where payouts.project_id = projects.id) owes
    group by 1 order by 1`;
  const wrong = became.reduce((sum, row) => sum + row.wrong, 0);
  const [version] = await db<[{ version: string }]>`select current_setting('server_version') as version`;
  console.log(await machine(version.version));
  console.log(`${became.map((row) => `${row.count} ${row.became}`).join(', ')}.`);
  console.log(
    `${total} projects in ${seconds.toFixed(1)} s: ${Math.round(total / seconds)}/s by ${processes} processes (${moved.join(' + ')}).`,
  );
  if (wrong > 0 || total !== projects) throw new Error(`${wrong} projects were not moved exactly once`);
  console.log('Each was moved once, and owes what it should.');
}

await main();

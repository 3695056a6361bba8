import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import pino from 'pino';
import { createPool } from '../db/pool.ts';
import { CannotRun } from '../cannot-run.ts';
import { startPostgres } from './postgres.ts';
import type { PostgresOptions, RunningPostgres } from './postgres.ts';

const log = pino({ level: 'silent' });
const password = 'p@ss/word %';

const folders: string[] = [];
// This hook belongs to the whole file, so it runs after every part that a test stops.
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function temporary(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'concours-pg-')));
  folders.push(folder);
  return folder;
}

async function start(
  t: TestContext,
  dataDir: string,
  options: Partial<PostgresOptions> = {},
): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, password, log, durable: false, ...options });
  t.after(() => server.stop());
  return server;
}

async function query<Row>(url: string, text: string): Promise<Row | undefined> {
  const sql = createPool({ url, connections: 1 });
  try {
    const [row] = await sql.unsafe(text);
    return row as Row | undefined;
  } finally {
    await sql.end();
  }
}

test('keeps its data over a restart, also if its pid file names another process, and over a crash of the machine by default', async (t) => {
  const dataDir = await temporary();
  const server = await start(t, dataDir);
  await query(server.url, 'create table kept as select 42 as n');
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8');
  await server.stop();
  await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/);
  // This very process: alive, and of the same user where the test is not run as root.
  await writeFile(pidFile, [process.pid, ...text.split('\n').slice(1)].join('\n'));
  const second = await start(t, dataDir, { durable: true });
  const found = await query<object>(
    second.url,
    `select n, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
    current_setting('full_page_writes') as pages, current_setting('listen_addresses') as listens, current_setting('data_checksums') as checksums from kept`,
  );
  assert.deepEqual(
    { ...found },
    { n: 42, fsync: 'on', commits: 'on', pages: 'on', listens: '127.0.0.1', checksums: 'on' },
  );
});

test('data of another major version is refused with a hint to DATABASE_URL', async () => {
  const dataDir = await temporary();
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await assert.rejects(
    startPostgres({ dataDir, password, log }),
    (error) => error instanceof CannotRun && /PostgreSQL 17/.test(error.message) && /DATABASE_URL/.test(error.message),
  );
});

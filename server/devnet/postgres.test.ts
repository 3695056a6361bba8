import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import pino from 'pino';
import { createPool } from '../db/pool.ts';
import { commandLine } from './child-process.ts';
import { EmbeddedPostgresError } from './postgres-binaries.ts';
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

/** Writes a row, restarts, and reads it. */
async function assertKeeps(
  t: TestContext,
  dataDir: string,
  options: Partial<PostgresOptions> = {},
): Promise<RunningPostgres> {
  const first = await start(t, dataDir, options);
  await query(first.url, 'create table kept (n int); insert into kept values (42)');
  await first.stop();
  const second = await start(t, dataDir, options);
  assert.deepEqual({ ...(await query<{ n: number }>(second.url, 'select n from kept')) }, { n: 42 });
  return second;
}

test('starts, keeps its data over a restart, and stops', async (t) => {
  const dataDir = await temporary();
  const server = await assertKeeps(t, dataDir);
  await server.stop();
  await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/);
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
});

test('survives a crash of the machine by default, and listens on loopback only', async (t) => {
  const server = await start(t, await temporary(), { durable: true });
  const found = await query(
    server.url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
    current_setting('full_page_writes') as pages, current_setting('listen_addresses') as listens, current_setting('data_checksums') as checksums`,
  );
  assert.deepEqual(
    { ...(found as object) },
    { fsync: 'on', commits: 'on', pages: 'on', listens: '127.0.0.1', checksums: 'on' },
  );
});

test('kill -9 of the start loses nothing that was committed and leaves no process behind', async (t) => {
  const dataDir = await temporary();
  const script = `
    import pino from 'pino';
    import { createPool } from ${JSON.stringify(join(import.meta.dirname, '..', 'db', 'pool.ts'))};
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
    const { url } = await startPostgres({ dataDir: process.argv[1], password: ${JSON.stringify(password)}, log: pino({ level: 'silent' }) });
    const sql = createPool({ url, connections: 1 });
    await sql\`create table kept as select 42 as n\`;
    console.log('committed');
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  const pid = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  parent.kill('SIGKILL');
  const server = await start(t, dataDir);
  assert.equal(await commandLine(pid), null);
  assert.deepEqual({ ...(await query<object>(server.url, 'select n from kept')) }, { n: 42 });
});

test('a pid file with the id of another process does not prevent a start', async (t) => {
  const dataDir = await temporary();
  const server = await start(t, dataDir);
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8');
  await server.stop();
  // This very process: alive, and of the same user where the test is not run as root.
  await writeFile(pidFile, [process.pid, ...text.split('\n').slice(1)].join('\n'));
  await start(t, dataDir);
});

test('data of another major version is refused with a hint to DATABASE_URL', async () => {
  const dataDir = await temporary();
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await assert.rejects(
    startPostgres({ dataDir, password, log }),
    (error) =>
      error instanceof EmbeddedPostgresError &&
      /PostgreSQL 17/.test(error.message) &&
      /DATABASE_URL/.test(error.message),
  );
});

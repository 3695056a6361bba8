import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import type { Db } from '../../server/db/database.ts';
import { accepts, isAlive } from './processes/processes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MIGRATIONS = join(ROOT, 'server', 'migrations');
/** The file to which `npm run test:db` writes the URL of its server. */
export const STANDING_SERVER_FILE = join(ROOT, 'node_modules', '.cache', 'test-database-url');
// Several test processes share one server. The first process creates the template while it holds this advisory lock.
const TEMPLATE_LOCK = 7_266_428;
const DATA_PREFIX = 'concours-test-pg-';
/** A file system in memory, on Linux. */
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3;

/** Starts a PostgreSQL server for tests, with its data in a new temporary folder. */
export async function testServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await fastestFolder();
  await removeLeftovers(folder);
  const dataDir = await mkdtemp(join(folder, `${DATA_PREFIX}${process.pid}-`));
  const server = await startPostgres({
    dataDir,
    password: randomBytes(12).toString('hex'),
    log: pino({ level: 'silent' }),
    durable: false,
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Creating a database copies about a thousand small files. That takes 0.05 s in memory and up to 2 s on a busy disk.
 */
async function fastestFolder(): Promise<string> {
  const space = await statfs(MEMORY_FOLDER).catch(() => null);
  return space && space.bavail * space.bsize >= MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
}

/** Removes the data of killed processes, which would otherwise stay in memory. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(name.startsWith(DATA_PREFIX) ? name.slice(DATA_PREFIX.length).split('-')[0] : 0);
    // Another process may remove the same folder at the same time.
    if (pid > 0 && !isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Returns the URL of the server that `npm run test:db` started, or null if that server does not accept connections. */
export async function standingServer(): Promise<string | null> {
  const url = await readFile(STANDING_SERVER_FILE, 'utf8').catch(() => null);
  if (url === null) return null;
  const { hostname, port } = new URL(url);
  return (await accepts(Number(port), hostname)) ? url : null;
}

type DatabaseOptions = {
  /** Without the schema. */
  empty?: boolean;
  connections?: number;
};

/**
 * Creates a migrated database for the calling test file and drops it when the file ends. Uses the server of
 * `TEST_DATABASE_URL`, else the server that `npm run test:db` started, else a new one that stops with the file.
 */
export async function testDatabase(options: DatabaseOptions = {}): Promise<{ db: Db; url: string }> {
  return await openDatabase(options, after);
}

/** Creates a database as `testDatabase` does, and hands over the step that drops it. */
export async function openDatabase(
  { empty = false, connections = 10 }: DatabaseOptions,
  atEnd: (close: () => Promise<void>) => void,
): Promise<{ db: Db; url: string }> {
  const givenUrl = process.env['TEST_DATABASE_URL'] ?? (await standingServer());
  const ownServer = givenUrl ? null : await testServer();
  const serverUrl = ownServer?.url ?? givenUrl ?? '';
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = createPool({ url: serverUrl, connections: 1 });
  const template = empty ? 'template1' : await prepareTemplate(admin, serverUrl);
  // file_copy copies the template's files. wal_log, the default, also writes every page to the log.
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  await admin.end();
  const url = withDatabase(serverUrl, name);
  const db = createPool({ url, connections });
  atEnd(async () => {
    await db.end({ timeout: 1 });
    const cleaner = createPool({ url: serverUrl, connections: 1 });
    await cleaner.unsafe(`drop database if exists ${name} with (force)`);
    await cleaner.end();
    // In the same hook, because hooks run in the order of their registration.
    await ownServer?.stop();
  });
  return { db, url };
}

/**
 * Returns the name of a migrated database to copy. The name contains a hash of all migrations. A server that stays up
 * therefore needs no restart after a migration changes.
 */
async function prepareTemplate(admin: Db, serverUrl: string): Promise<string> {
  const name = `concours_template_${await (hashOfMigrations ??= migrationsHash())}`;
  const isReady = async () =>
    (await admin`select 1 from pg_database where datname = ${name} and datistemplate`).length > 0;
  if (await isReady()) return name;
  await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  try {
    if (await isReady()) return name;
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.unsafe(`create database ${name}`);
    const template = createPool({ url: withDatabase(serverUrl, name), connections: 1 });
    await migrate(template);
    await template.end();
    await admin.unsafe(`alter database ${name} is_template true`);
    return name;
  } finally {
    await admin`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
  }
}

let hashOfMigrations: Promise<string> | null = null;

async function migrationsHash(): Promise<string> {
  const files = (await readdir(MIGRATIONS, { recursive: true })).filter((file) => file.endsWith('.sql')).toSorted();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(join(MIGRATIONS, file)));
  return hash.digest('hex').slice(0, 16);
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import type { Db } from '../../server/ports/database.ts';

// Several test processes share one server: whoever comes first migrates the template, under this lock.
const TEMPLATE_LOCK = 7_266_428;
const TEMPLATE = 'concours_template';

/** A server for tests in a folder of its own; `TEST_DATABASE_URL` names one that the run started already. */
export async function testServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'concours-test-pg-'));
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

/** A migrated database of the calling test file's own, dropped when the file ends. */
export async function testDatabase(): Promise<{ db: Db; url: string }> {
  const givenUrl = process.env['TEST_DATABASE_URL'];
  const ownServer = givenUrl ? null : await testServer();
  const serverUrl = ownServer?.url ?? givenUrl ?? '';
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = createPool({ url: serverUrl, connections: 1 });
  await prepareTemplate(admin, serverUrl);
  // Copied as files: less work than writing all of it to the log.
  await admin.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  await admin.end();
  const url = withDatabase(serverUrl, name);
  const db = createPool({ url, connections: 10 });
  after(async () => {
    await db.end({ timeout: 1 });
    const cleaner = createPool({ url: serverUrl, connections: 1 });
    await cleaner.unsafe(`drop database if exists ${name} with (force)`);
    await cleaner.end();
    // Hooks run in the order of their registration: a stop of its own would come before this one.
    await ownServer?.stop();
  });
  return { db, url };
}

async function prepareTemplate(admin: Db, serverUrl: string): Promise<void> {
  const connection = await admin.reserve();
  try {
    await connection`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const [known] = await connection`select 1 from pg_database where datname = ${TEMPLATE}`;
    if (!known) await connection.unsafe(`create database ${TEMPLATE}`);
    const template = createPool({ url: withDatabase(serverUrl, TEMPLATE), connections: 1 });
    await migrate(template);
    await template.end();
  } finally {
    await connection`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
    connection.release();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

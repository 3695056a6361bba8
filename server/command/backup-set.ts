import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CannotRun } from '../cannot-run.ts';
import { createPool } from '../db/pool.ts';
import { checkJournals } from '../ledger/public.ts';
import type { Db, Queryable } from '../db/database.ts';
import { originalKey } from '../projects/public.ts';
import { parseDatabaseUrl } from '../settings/public.ts';

/** A stored object that a backup holds, under its key in the folder `objects`. `sha256` in hex. */
export type StoredFile = { key: string; contentType: string; sizeBytes: number; sha256: string };

/** The description of a backup. It is written last: a folder without it is no backup. */
export type Manifest = {
  version: string;
  at: string;
  dump: string;
  tables: Record<string, number>;
  objects: StoredFile[];
};

/** The names in the folder of a backup. */
export const [DUMP, OBJECTS, MANIFEST] = ['database.dump', 'objects', 'manifest.json'];

/** How long one statement of a backup may take. */
export const STATEMENT_MS = 3_600_000;
const AT_ONCE = 8;

export async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = createPool({ url, connections: 1, prepare: false });
  try {
    return await work(db);
  } finally {
    await db.end({ timeout: 5 });
  }
}

/** Returns the number of rows of each table. */
export async function countRows(db: Queryable): Promise<Record<string, number>> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db<[{ count: number }]>`select count(*)::int as count from ${db(name)}`;
    counts[name] = row.count;
  }
  return counts;
}

/** Returns the originals of entries and the reference pictures. Everything else in the bucket can be made again. */
export async function findObjects(db: Queryable): Promise<StoredFile[]> {
  const originals = await db<StoredFile[]>`
    select original_key as key, content_type as "contentType", size_bytes as "sizeBytes", encode(sha256, 'hex') as sha256
    from media_files where status = 'completed' and original_key is not null order by original_key`;
  const pictures = await db<(StoredFile & { id: string })[]>`
    select id, content_type as "contentType", size_bytes as "sizeBytes", encode(sha256, 'hex') as sha256
    from reference_pictures where confirmed_at is not null order by id`;
  return [...originals, ...pictures.map(({ id, ...picture }) => ({ ...picture, key: originalKey(id) }))];
}

/** Returns what is wrong in the books by themselves. `recover` compares them with the chain. */
export const bookProblems = async (db: Queryable): Promise<string[]> => (await checkJournals(db)).problems;

/** Does the work for each item, for some of them at the same time. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export const isEmptyFolder = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch(() => [])).length === 0;

/** Runs `pg_dump` or `pg_restore` of this machine on a database. @throws CannotRun that says what is missing */
export async function runProgram(name: 'pg_dump' | 'pg_restore', url: string, args: string[]): Promise<void> {
  const run = promisify(execFile);
  const server = await withDatabase(url, async (db) => {
    const [row] = await db<[{ major: number }]>`select current_setting('server_version_num')::int / 10000 as major`;
    return row.major;
  });
  const install = `Install Debian's package postgresql-client-${server}, or another with these programs, and put them first in PATH.`;
  const { stdout } = await run(name, ['--version']).catch(() => {
    throw new CannotRun(`${name}: is not on this machine. ${install}`);
  });
  const own = Number(/(\d+)/.exec(stdout)?.[1]);
  if (own < server) throw new CannotRun(`${name}: is of PostgreSQL ${own}, and the server is ${server}. ${install}`);
  const { client, ignored } = parseDatabaseUrl(url);
  // The password stays out of the arguments, which every user of the machine can read.
  // oxlint-disable-next-line no-restricted-properties -- the programs look for PATH and for settings of their own there
  const env = { ...process.env, ...(typeof client.password === 'string' ? { PGPASSWORD: client.password } : {}) };
  await run(name, [...args, '--dbname', withoutSecrets(url, ignored)], { env, maxBuffer: 1 << 24 }).catch(
    (error: { stderr?: string }) => {
      throw new CannotRun(`${name}: ${error.stderr?.trim() ?? 'failed'}`, { cause: error });
    },
  );
}

function withoutSecrets(url: string, ignored: string[]): string {
  const [address = '', query = ''] = url.split('?', 2);
  const kept = new URLSearchParams(query);
  for (const name of [...ignored, 'password']) kept.delete(name);
  return `${address.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@')}?${kept.toString()}`;
}

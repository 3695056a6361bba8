import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CannotRun } from '../cannot-run.ts';
import { readConfig } from '../config.ts';
import { storageOf } from '../main.ts';
import type { Storage } from '../storage/types.ts';
import {
  bookProblems,
  countRows,
  DUMP,
  forEach,
  hashOf,
  hashOfFile,
  MANIFEST,
  type Manifest,
  OBJECTS,
  runProgram,
  type StoredFile,
  withDatabase,
} from './backup-set.ts';

export function addRestore(program: Command): void {
  program
    .command('restore <folder>')
    .description('restore a backup into an empty database and into the bucket, and check both')
    .action(async (folder: string) => {
      const config = readConfig();
      if (config.databaseUrl === undefined)
        throw new CannotRun(
          'DATABASE_URL: missing. To restore a development start, set DATA_DIR to a copy of its backup.',
        );
      const { port: storage } = await storageOf(config, null, '');
      await restore(config.databaseUrl, storage, folder);
    });
}

async function restore(databaseUrl: string, storage: Storage, folder: string): Promise<void> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new CannotRun(`${folder}: has no ${MANIFEST}, so it is no whole backup`);
  const manifest = JSON.parse(text) as Manifest;
  const { tables, objects, version, at } = manifest;
  const missing = await firstChecks(databaseUrl, storage, { folder, manifest });
  // In one transaction: a restore that fails leaves an empty database.
  const args = ['--no-owner', '--exit-on-error', '--single-transaction'];
  await runProgram('pg_restore', databaseUrl, [...args, join(folder, DUMP)]);
  await forEach(missing, async ({ key, contentType }) => {
    await storage.write(key, await readFile(join(folder, OBJECTS, key)), contentType);
  });
  const problems = await withDatabase(databaseUrl, async (db) => {
    const counts = await countRows(db);
    const wrong = Object.keys({ ...tables, ...counts }).filter((name) => tables[name] !== counts[name]);
    const ofTables = wrong.map((name) => `${name}: ${counts[name] ?? 0} rows instead of ${tables[name] ?? 0}`);
    return [...ofTables, ...(await bookProblems(db))];
  });
  await forEach(missing, async (object) => {
    if (!(await isStored(storage, object))) problems.push(`${object.key}: did not arrive whole in the bucket`);
  });
  if (problems.length > 0) throw new CannotRun(`The restore is not whole:\n${problems.join('\n')}`);
  console.log(
    `Restored the backup of ${at} by version ${version}: ${Object.keys(tables).length} tables, and ${objects.length} objects, ` +
      `of which ${missing.length} were missing. Now run: concours-server migrate, then concours-server recover.`,
  );
}

/** Checks the backup, and that nothing would be lost. Returns the objects that the bucket lacks. Changes nothing. */
async function firstChecks(
  databaseUrl: string,
  storage: Storage,
  { folder, manifest }: { folder: string; manifest: Manifest },
): Promise<StoredFile[]> {
  const problems: string[] = [];
  const missing: StoredFile[] = [];
  if ((await hashOfFile(join(folder, DUMP))) !== manifest.dump) problems.push(`${DUMP}: its bytes have changed`);
  await forEach(manifest.objects, async (object) => {
    const hash = await hashOfFile(join(folder, OBJECTS, object.key)).catch(() => null);
    if (hash !== object.sha256) problems.push(`${object.key}: is missing or changed in the backup`);
    if ((await storage.head(object.key)) === null) missing.push(object);
    else if (!(await isStored(storage, object))) problems.push(`${object.key}: the bucket has other bytes`);
  });
  const [row] = await withDatabase(
    databaseUrl,
    (db) => db<[{ count: number }]>`
      select count(*)::int as count from pg_class
      where relkind in ('r', 'p', 'v', 'm', 'S') and relnamespace in (
        select oid from pg_namespace where nspname <> 'information_schema' and nspname not like 'pg\\_%')`,
  );
  if (row.count > 0) problems.push('DATABASE_URL: the database is not empty. Restore into a new one.');
  if (problems.length > 0) throw new CannotRun(`Nothing was restored:\n${problems.join('\n')}`);
  return missing;
}

async function isStored(storage: Storage, { key, sizeBytes, sha256 }: StoredFile): Promise<boolean> {
  const bytes = await storage.read(key, sizeBytes).catch(() => null);
  return bytes !== null && hashOf(bytes) === sha256;
}

import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { CannotRun } from '../cannot-run.ts';
import { readConfig } from '../config.ts';
import { openDataFolder } from '../devnet/public.ts';
import { storageOf } from '../main.ts';
import type { Tx } from '../db/database.ts';
import type { Storage } from '../storage/types.ts';
import { VERSION } from '../version.ts';
import {
  bookProblems,
  countRows,
  DUMP,
  findObjects,
  forEach,
  hashOf,
  hashOfFile,
  isEmptyFolder,
  MANIFEST,
  type Manifest,
  OBJECTS,
  runProgram,
  STATEMENT_MS,
  type StoredFile,
  withDatabase,
} from './backup-set.ts';

export function addBackup(program: Command): void {
  program
    .command('backup <folder>')
    .description('write the database and the originals into a new folder, and check them; the service may run')
    .action(async (folder: string) => {
      if (!(await isEmptyFolder(folder)))
        throw new CannotRun(`${folder}: is not empty. A backup goes into a new folder.`);
      const config = readConfig();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (config.databaseUrl === undefined) return await copyDataFolder(config.dataDir, folder);
      const { databaseUrl } = config;
      const { port: storage } = await storageOf(config, null, '');
      const problems = await withDatabase(databaseUrl, (db) =>
        db.begin((tx) => backUp(tx, { databaseUrl, storage, folder }), {
          mode: 'isolation level repeatable read read only',
          statementMs: STATEMENT_MS,
        }),
      );
      for (const problem of problems) console.error(problem);
      if (problems.length > 0) process.exitCode = 1;
    });
}

/** A development start is backed up as its folder, with the chain and the keys, while it is stopped. */
async function copyDataFolder(dataDir: string, folder: string): Promise<void> {
  const held = openDataFolder(dataDir);
  try {
    for (const name of await readdir(held.path))
      if (!name.startsWith('lock.')) await cp(join(held.path, name), join(folder, name), { recursive: true });
  } finally {
    held.release();
  }
  console.log(`Copied ${held.path} to ${folder}. To restore it, set DATA_DIR to a copy.`);
}

type Parts = { databaseUrl: string; storage: Storage; folder: string };

/** Backs up one snapshot: the dump, the counts, and the list of objects agree. Returns what is wrong with them. */
async function backUp(tx: Tx, { databaseUrl, storage, folder }: Parts): Promise<string[]> {
  // The role's limit would end the snapshot while the dump is written.
  await tx`set local idle_in_transaction_session_timeout = 0`;
  const [snapshot] = await tx<[{ id: string; at: Date }]>`select pg_export_snapshot() as id, now() as at`;
  const path = join(folder, DUMP);
  await runProgram('pg_dump', databaseUrl, ['--format=custom', `--file=${path}`, `--snapshot=${snapshot.id}`]);
  const tables = await countRows(tx);
  const problems = await bookProblems(tx);
  const wanted = await findObjects(tx);
  const objects: StoredFile[] = [];
  await forEach(wanted, async (object) => {
    const bytes = await storage.read(object.key, object.sizeBytes);
    if (bytes === null || hashOf(bytes) !== object.sha256)
      return void problems.push(`${object.key}: ${bytes ? 'is changed' : 'is missing'} in the bucket`);
    await mkdir(dirname(join(folder, OBJECTS, object.key)), { recursive: true });
    await writeFile(join(folder, OBJECTS, object.key), bytes, { mode: 0o600, flush: true });
    objects.push(object);
  });
  const at = snapshot.at.toISOString();
  const manifest: Manifest = { version: VERSION, at, dump: await hashOfFile(path), tables, objects };
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest, null, 1), { mode: 0o600, flush: true });
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  console.log(
    `Backed up ${rows} rows of ${Object.keys(tables).length} tables and ${objects.length} objects, as of ${at}.`,
  );
  return problems;
}

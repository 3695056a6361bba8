import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** `expand` only adds and is safe beside the version before; `contract` takes away what older code uses. */
export type Kind = 'expand' | 'contract';
export type Phase = Kind | 'all';

export type Migration = {
  /** The file's name. Names have the order of their numbers. */
  name: string;
  sql: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** Null for the files before the kinds. They are applied with those that expand. */
  kind: Kind | null;
  /** One statement that PostgreSQL refuses inside a transaction, such as `create index concurrently`. */
  concurrently: boolean;
  /** The lowest version of the code that works after a contract migration. */
  lowestCode: string | null;
};

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');
const HEADER = /^-- Kind: (expand|contract)(, concurrently)?(?:, serves (\d+\.\d+\.\d+))?\n/;

/** Reads the migrations of a folder in the order of their names. The first line of a file says its kind. */
export async function readMigrations(folder: string = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return await Promise.all(names.map(async (name) => migrationOf(name, await readFile(join(folder, name), 'utf8'))));
}

function migrationOf(name: string, sql: string): Migration {
  const [, kind, concurrently, lowestCode] = HEADER.exec(sql) ?? [];
  return {
    name,
    sql,
    hash: createHash('sha256').update(sql).digest('hex'),
    kind: kind === 'expand' || kind === 'contract' ? kind : null,
    concurrently: concurrently !== undefined,
    lowestCode: lowestCode ?? null,
  };
}

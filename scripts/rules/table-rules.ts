import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sqlOf, type SqlText } from './sql-in-source.ts';
import { type Access, loadSqlParser, type Reading, readSql } from './sql-tables.ts';
import type { TableExceptions } from './table-owners.ts';

export type Rules = { owners: Readonly<Record<string, string>>; exceptions: TableExceptions };

/** One way in which a file uses a table; `table` is null if the name is only known at run time. */
type Use = { file: string; table: string | null; access: Access; fragment: boolean };
type Found = {
  uses: Use[];
  ctes: Set<string>;
  /** Texts that are not SQL. No exception covers them, because a statement could hide in one. */
  unreadable: { file: string; text: string }[];
  /** Files that build SQL at run time. */
  dynamic: Set<string>;
};

const VIEWS = 'server/views/';
// A `*-suite.ts` file holds the cases that the tests of every driver run.
const TESTS = /(?:\.test|-suite)\.ts$/;
/** Matches a literal that names a table: it has a keyword before a name. */
const NAMES_A_TABLE = /\b(?:from|join|into|update|using|table|only)\s+\S/i;
const EXCERPT = 60;

/** Returns the statements that break the rules of table ownership, one line each, sorted. */
export async function tableFindings(root: string, { owners, exceptions }: Rules): Promise<string[]> {
  await loadSqlParser();
  const found: Found = { uses: [], ctes: new Set(), unreadable: [], dynamic: new Set() };
  for await (const path of glob('server/**/*.ts', { cwd: root })) {
    const file = path.replaceAll('\\', '/');
    if (!TESTS.test(file)) readFileOf(file, await readFile(join(root, file), 'utf8'), found);
  }
  return [
    ...found.unreadable.map(({ file, text }) => `${file}: SQL that cannot be read: ${text}`),
    ...[...found.dynamic]
      .filter((file) => !isListed(file, exceptions))
      .map((file) => `${file}: a statement that is put together when the program runs`),
    ...[...found.ctes].filter((name) => name in owners).map((name) => `a CTE hides the table ${name}`),
    ...found.uses.flatMap((use) => problemOf(use, found.ctes, { owners, exceptions }) ?? []),
    ...staleExceptions(found, { owners, exceptions }),
  ]
    .filter((line, index, all) => all.indexOf(line) === index)
    .toSorted();
}

function readFileOf(file: string, source: string, found: Found): void {
  const { statements, dynamic, literals } = sqlOf(source);
  if (dynamic) found.dynamic.add(file);
  const parts = dynamic ? literals.filter(({ texts }) => NAMES_A_TABLE.test(texts.join(' hole_ '))) : [];
  for (const text of [...statements, ...parts]) {
    const reading = readSql(text);
    if (!reading) found.unreadable.push({ file, text: excerptOf(text) });
    else take(file, reading, found);
  }
}

function take(file: string, { uses, ctes, fragment }: Reading, found: Pick<Found, 'uses' | 'ctes'>): void {
  for (const { table, access } of uses) found.uses.push({ file, table, access, fragment });
  for (const name of ctes) found.ctes.add(name);
}

function isListed(file: string, { dynamic }: TableExceptions): boolean {
  return dynamic.some((exception) => exception.file === file);
}

function excerptOf({ texts }: SqlText): string {
  const text = texts.join('…').replaceAll(/\s+/g, ' ').trim();
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
}

/** Returns null if the use obeys the rules or is a listed exception. */
function problemOf({ file, table, access, fragment }: Use, ctes: Set<string>, rules: Rules): string | null {
  if (table === null) {
    return isListed(file, rules.exceptions) ? null : `${file}: a table that is only named when the program runs`;
  }
  const owner = rules.owners[table];
  if (owner === undefined) {
    // A part of a statement may name a CTE of the whole statement, or a column that looks like a table.
    if (ctes.has(table) || fragment) return null;
    return `${file}: unknown table ${table}`;
  }
  if (isWithin(file, owner)) return null;
  const reader = rules.exceptions.reads.find((exception) => exception.file === file);
  if (access === 'write') return `${file}: writes ${table} of ${owner}/`;
  if (access === 'lock') return reader?.locks?.includes(table) ? null : `${file}: locks rows of ${table} of ${owner}/`;
  return file.startsWith(VIEWS) || reader?.tables.includes(table) ? null : `${file}: reads ${table} of ${owner}/`;
}

function isWithin(file: string, owner: string): boolean {
  return `${dirname(file)}/`.startsWith(`server/${owner}/`);
}

/** Returns the exceptions that no statement needs. */
function staleExceptions({ uses, dynamic }: Found, { exceptions }: Rules): string[] {
  const has = (file: string, table: string, access: Access) =>
    uses.some((use) => use.file === file && use.table === table && use.access === access);
  const isDynamic = (file: string) => dynamic.has(file) || uses.some((use) => use.file === file && use.table === null);
  return [
    ...exceptions.reads.flatMap(({ file, tables, locks = [] }) => [
      ...tables.filter((table) => !has(file, table, 'read')).map((table) => `stale exception: ${file} reads ${table}`),
      ...locks.filter((table) => !has(file, table, 'lock')).map((table) => `stale exception: ${file} locks ${table}`),
    ]),
    ...exceptions.dynamic.filter(({ file }) => !isDynamic(file)).map(({ file }) => `stale exception: ${file}`),
  ];
}

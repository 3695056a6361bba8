import { hasSqlDetails, loadModule, parseSync } from 'libpg-query';
import type { SqlText } from './sql-in-source.ts';

export type Access = 'read' | 'lock' | 'write';
/** `table` is null if the name is only known at run time. */
export type TableUse = { table: string | null; access: Access };
export type Reading = {
  uses: TableUse[];
  /** Names that `with` defines. */
  ctes: string[];
  /** The text is a part of a statement. The parser read it within a statement that it fits into. */
  fragment: boolean;
};

type Tree = Record<string, unknown>;

/** The tables that an update, a delete, or a merge reads from. */
const SOURCES = new Set(['fromClause', 'usingClause', 'sourceRelation']);

/** Stands for a name that is only known at run time. */
const HOLE = 'hole_';

/** Texts to try in a hole, most frequent first: a value, nothing, a query, a name, columns of an update or insert. */
const VALUE = '$1';
const FILLINGS = [VALUE, '', 'select 1', HOLE, `${HOLE} = 1`, `(${HOLE}) values (1)`, 'asc', '<'];

/** Statements into which a part of a statement may fit. */
const PLACES: ((text: string) => string)[] = [
  (text) => `select ${text}`,
  (text) => `select 1 ${text}`,
  (text) => `select 1 from place_ ${text}`,
  (text) => `select 1 from place_ where true ${text}`,
  (text) => `select 1 from ${text}`,
  (text) => `with ${text} select 1`,
  (text) => `update place_ set ${text}`,
  (text) => `${text} select 1`,
  (text) => `insert into place_ default values ${text}`,
];

/** Loads the parser. Await it before the first call of `readSql`. */
export const loadSqlParser = loadModule;

/** Returns the tables that a text names, by PostgreSQL's own parser, or null if the parser cannot read the text. */
export function readSql(text: SqlText): Reading | null {
  if (text.texts.every((part) => part.trim() === '')) return { uses: [], ctes: [], fragment: true };
  const whole = parse(text, (sql) => sql);
  if (whole) return { ...tablesIn(whole), fragment: false };
  const readings = PLACES.map((place) => parse(text, place)).flatMap((tree) => (tree ? [tablesIn(tree)] : []));
  const [first, ...others] = readings;
  if (!first) return null;
  // A part may fit in several places: `, agents` fits into a list of columns and into a list of tables. A name counts
  // as a table if it is a table in any of them.
  const uses = [...first.uses, ...others.flatMap((reading) => reading.uses.filter(({ table }) => table !== null))];
  return { uses, ctes: readings.flatMap(({ ctes }) => ctes), fragment: true };
}

/** Fills the holes from left to right. Where the parser stops, the hole before that place gets another filling. */
function parse(text: SqlText, place: (sql: string) => string): unknown {
  const fill = (fillings: string[], hole: number): unknown => {
    const known = text.holes[hole];
    for (const filling of known ? [known, ...FILLINGS] : FILLINGS) {
      const next = fillings.with(hole, filling);
      const { tree, stuckAt } = attempt(text, next, place);
      if (tree) return tree;
      // If the parser stops behind the same hole, this filling is wrong. If it stops later, the filling may be right.
      const found = stuckAt > hole ? (fill(next, stuckAt) ?? (stuckAt - 1 > hole && fill(next, stuckAt - 1))) : null;
      if (found) return found;
    }
    return null;
  };
  const values = text.holes.map(() => VALUE);
  const { tree, stuckAt } = attempt(text, values, place);
  return tree ?? (stuckAt < 0 ? null : (fill(values, stuckAt) ?? (stuckAt > 0 ? fill(values, stuckAt - 1) : null)));
}

/** Parses one choice of fillings. `stuckAt` is the last hole before the place where the parser stops, or -1. */
function attempt(text: SqlText, fillings: string[], place: (sql: string) => string) {
  const { sql, starts } = filled(text, fillings, place);
  const { tree, failedAt } = parseOnce(sql);
  return { tree, stuckAt: starts.findLastIndex((start) => start <= failedAt) };
}

function filled({ texts }: SqlText, fillings: string[], place: (sql: string) => string) {
  const prefix = place('\0').indexOf('\0');
  let sql = texts[0] ?? '';
  const starts: number[] = [];
  for (const [index, filling] of fillings.entries()) {
    starts.push(prefix + sql.length);
    sql += filling + (texts[index + 1] ?? '');
  }
  return { sql: place(sql), starts };
}

function parseOnce(sql: string): { tree: unknown; failedAt: number } {
  try {
    return { tree: parseSync(sql), failedAt: -1 };
  } catch (error) {
    if (!hasSqlDetails(error)) throw error;
    return { tree: null, failedAt: error.sqlDetails?.cursorPosition ?? sql.length };
  }
}

type AccessOf = (range: Tree) => Access;
const reads: AccessOf = () => 'read';
const writes: AccessOf = () => 'write';

function tablesIn(tree: unknown): Pick<Reading, 'uses' | 'ctes'> {
  const uses: TableUse[] = [];
  const ctes: string[] = [];
  const use = (range: Tree, access: AccessOf) => {
    const { relname, schemaname } = range as { relname: string; schemaname?: string };
    if (relname === 'place_' || relname.startsWith('pg_') || schemaname === 'pg_catalog') return;
    uses.push({ table: tableNamed(relname, schemaname), access: access(range) });
  };
  /** Records tables. `access` is for a table named right here: outside a list of tables, the statement writes it. */
  const visit = (value: unknown, access: AccessOf): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, access);
    else if (isRange(value)) use(value, access);
    else if (isTree(value)) for (const [key, child] of Object.entries(value)) visitChild(key, child, access);
  };
  const visitChild = (key: string, child: unknown, access: AccessOf): void => {
    if (key === 'CommonTableExpr') ctes.push(String((child as Tree)['ctename']));
    if (key === 'DropStmt') for (const name of droppedBy(child as Tree)) use({ relname: name }, writes);
    if (key === 'SelectStmt' || isArmOfUnion(key, child)) visitSelect(child as Tree);
    else if (key === 'RangeVar' || key === 'JoinExpr' || key === 'larg' || key === 'rarg') visit(child, access);
    else if (SOURCES.has(key)) visit(child, reads);
    // `for update of` names aliases of the FROM list.
    else if (key !== 'lockedRels') visit(child, writes);
  };
  const visitSelect = ({ fromClause, lockingClause, ...others }: Tree): void => {
    const locked = lockedBy(lockingClause);
    visit(fromClause, (range) => (locked === 'all' || locked.includes(aliasOf(range)) ? 'lock' : 'read'));
    visit(others, writes);
  };
  visit(tree, writes);
  return { uses, ctes };
}

/** Returns null for a hole. Keeps the schema in the name, so that the column `p.title` is not the table `title`. */
function tableNamed(name: string, schema = 'public'): string | null {
  if (name === HOLE || schema === HOLE) return null;
  return schema === 'public' ? name : `${schema}.${name}`;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

/** Recognizes a table by its key, because some nodes lack their type: `relation` of an update. */
function isRange(value: unknown): value is Tree {
  return isTree(value) && 'relname' in value;
}

/** Returns whether this is an arm of a union. The sides of a join have the same keys. */
function isArmOfUnion(key: string, child: unknown): boolean {
  return (key === 'larg' || key === 'rarg') && isTree(child) && 'op' in child;
}

function droppedBy({ objects }: Tree): string[] {
  return (objects as { List?: { items: { String?: { sval: string } }[] } }[]).flatMap(
    ({ List }) => List?.items.at(-1)?.String?.sval ?? [],
  );
}

type LockingClause = { LockingClause: { lockedRels?: { RangeVar: Tree }[] } };

/** Returns the aliases of `for update of a, b`, or 'all' without `of`. */
function lockedBy(clause: unknown): string[] | 'all' {
  const locks = ((clause ?? []) as LockingClause[]).map(({ LockingClause: { lockedRels } }) => lockedRels);
  const aliases = locks.flatMap((ranges) => ranges?.map(({ RangeVar }) => aliasOf(RangeVar)) ?? []);
  return locks.includes(undefined) ? 'all' : aliases;
}

function aliasOf(range: Tree): string {
  const alias = range['alias'] as { aliasname: string } | undefined;
  return alias?.aliasname ?? String(range['relname']);
}

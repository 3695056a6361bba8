import { loadModule, parseSync } from 'libpg-query';
import type { Migration } from '../../server/db/migration-files.ts';
import { isOlder } from '../../server/db/migration-state.ts';

type Tree = Record<string, unknown>;

/** The last file that may lack a kind. */
const LAST_WITHOUT_KIND = '0034';

/** Statements that cannot break the version before. The others are looked at one by one, or refused. */
const ADDS = new Set([
  'CreateStmt',
  'CreateSeqStmt',
  'CreateEnumStmt',
  'CommentStmt',
  'GrantStmt',
  'InsertStmt',
  'SelectStmt',
  'UpdateStmt',
]);

/** Files whose statements the rule cannot read, with the reason why they only add. */
const LISTED: Record<string, string> = {
  '0035_serving.sql': 'the block changes only with whose rights the functions of partitions run',
  '0036_operators.sql': 'the trigger on the audit trail only writes to a new table, and takes no lock that others need',
  '0043_poster_directory.sql':
    'the trigger on posters only writes to a new table, which the version before does not read',
  '0037_late_publications_and_places.sql':
    'the rest only adds, and the function of payments refuses less than before: two columns that older code never changes',
};

/** Returns what is wrong with the kinds of migrations, by their SQL as PostgreSQL's own parser reads it. */
export async function migrationFindings(files: Migration[], version: string): Promise<string[]> {
  await loadModule();
  return files.flatMap((file) => findingsOf(file, version).map((finding) => `${file.name}: ${finding}`));
}

function findingsOf({ name, sql, kind, concurrently, lowestCode }: Migration, version: string): string[] {
  if (kind === null)
    return name.slice(0, 4) <= LAST_WITHOUT_KIND ? [] : ['its first line says no kind: `-- Kind: expand`'];
  const found = headerFindings({ kind, lowestCode }, version);
  const statements = statementsOf(sql);
  if (concurrently && statements.length !== 1) found.push('runs concurrently, so it has one statement');
  const created = new Set(statements.flatMap(createdTable));
  for (const statement of statements) {
    if (concurrently !== isConcurrent(statement))
      found.push(
        concurrently ? 'its statement needs no `concurrently`' : 'a concurrent statement needs `, concurrently`',
      );
    if (kind === 'expand' && !(name in LISTED)) found.push(...narrowing(statement, created));
  }
  return found;
}

function headerFindings({ kind, lowestCode }: Pick<Migration, 'kind' | 'lowestCode'>, version: string): string[] {
  if (lowestCode === null) return kind === 'contract' ? ['contracts, and does not say `serves` which version'] : [];
  if (kind === 'expand') return ['expands, so it must not say `serves`'];
  return isOlder(version, lowestCode) ? [`serves ${lowestCode} and later, which ${version} itself is not`] : [];
}

function statementsOf(sql: string): Tree[] {
  const { stmts = [] } = parseSync(sql) as { stmts?: { stmt: Tree }[] };
  return stmts.map(({ stmt }) => stmt);
}

function createdTable(statement: Tree): string[] {
  const create = statement['CreateStmt'] as { relation: { relname: string } } | undefined;
  return create ? [create.relation.relname] : [];
}

function isConcurrent(statement: Tree): boolean {
  const [parts] = Object.values(statement) as [{ concurrent?: boolean }];
  return parts.concurrent === true;
}

/** Returns how a statement of an expand file could break the version before. */
function narrowing(statement: Tree, created: ReadonlySet<string>): string[] {
  const [[type, parts]] = Object.entries(statement) as [[string, Tree]];
  if (ADDS.has(type)) return [];
  const table = (parts['relation'] as { relname?: string } | undefined)?.relname ?? '';
  if (created.has(table)) return [];
  switch (type) {
    case 'IndexStmt':
      if (parts['unique']) return [`a unique index of ${table} can refuse what the version before writes`];
      return parts['concurrent'] ? [] : [`an index of ${table} stops its writers: create it concurrently`];
    case 'CreateFunctionStmt':
      return parts['replace'] ? [`${type} replaces what the version before uses`] : [];
    case 'ViewStmt':
      // PostgreSQL refuses to replace a view by one that lacks a column, or has it in another place or type.
      return [];
    case 'DropStmt':
      return parts['removeType'] === 'OBJECT_INDEX' && parts['concurrent']
        ? ['drops an index: only contract may']
        : ['drops'];
    case 'AlterTableStmt':
      return (parts['cmds'] as { AlterTableCmd: Tree }[]).flatMap(({ AlterTableCmd }) =>
        narrowingCommand(AlterTableCmd, table),
      );
    default:
      return [`${type} is not known to only add`];
  }
}

function narrowingCommand(command: Tree, table: string): string[] {
  if (command['subtype'] !== 'AT_AddColumn') return [`${String(command['subtype'])} of ${table} does more than add`];
  const { constraints = [], colname } = (command['def'] as { ColumnDef: { constraints?: Tree[]; colname: string } })
    .ColumnDef;
  const types = constraints.map((each) => (each['Constraint'] as { contype: string }).contype);
  return types.includes('CONSTR_NOTNULL') && !types.includes('CONSTR_DEFAULT')
    ? [`the version before does not fill ${table}.${colname}: give it a default`]
    : [];
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { plant, root } from './planted-tree.ts';
import { tableExceptions, tableOwners } from './table-owners.ts';
import { tableFindings } from './table-rules.ts';

const owners = { agents: 'agents', agent_keys: 'agents/accounts', projects: 'projects', payments: 'payments' };
const none = { reads: [], dynamic: [] };

/** Returns a file whose function sends one statement. */
const sends = (sql: string): string =>
  `export const run = async (tx: Tx, id: string, rows: object[]) => await tx<{ id: string }[]>\`${sql}\`;\n`;

const allowed = {
  'server/agents/standing/queries.ts': sends('update agents set status = ${id} where id = ${id} returning id'),
  'server/agents/accounts/queries.ts': sends('insert into agent_keys ${tx(rows)} on conflict do nothing'),
  'server/projects/queries.ts': sends('select id from projects where id = ${id} for no key update'),
  'server/projects/parts.ts': `
    const streams = (db: Db) => db\`unnest(\${ids}::uuid[]) as s (id)\`;
    export const lost = (db: Db, not: boolean) => db\`
      with old as (select p.id from projects p, \${streams(db)} where p.id = s.id \${not ? db\`and p.x\` : db\`\`}), agents_of as (select 1)
      delete from projects using old, agents_of where projects.id = old.id\`;
    export const fromOld = (db: Db) => db\`select id from old where id is distinct from\\t'from agents'\`;
    export const agents = 'update agents';
    export const raw = String.raw\`select 1 from agents\`;
    // select 1 from agents
    export const note = (db: Db) => db\`select 1 -- from agents
      /* join payments */ from projects as agents where agents.id = 1\`;\n`,
  'server/views/market/queries.ts': sends(
    'select p.id from projects p join agents a on true left join payments using (id)',
  ),
  'server/payments/queries.test.ts': sends('delete from agents'),
};

/** One file for each fault, with the expected finding. */
const faults: Record<string, { sql: string; finding: string }> = {
  update: { sql: "update agents set tier = 'elite'", finding: 'writes agents of agents/' },
  insert: { sql: 'insert into agent_keys ${tx(rows)}', finding: 'writes agent_keys of agents/accounts/' },
  'lock-rows': {
    sql: 'select 1 from payments p join agents a on true for share of a',
    finding: 'locks rows of agents of agents/',
  },
  'write-in-cte': {
    sql: 'with gone as (delete from agents returning id) select id from gone',
    finding: 'writes agents of agents/',
  },
  'read-in-fragment': {
    sql: 'select 1 from payments ${id ? tx`join agents a on a.id = ${id}` : tx``}',
    finding: 'reads agents of agents/',
  },
  'name-at-run-time': {
    sql: 'select 1 from ${tx(id)} where true',
    finding: 'a table that is only named when the program runs',
  },
  'no-sql': { sql: 'select from from where', finding: 'SQL that cannot be read: select from from where' },
  'unknown-table': { sql: 'select 1 from agnets', finding: 'unknown table agnets' },
};

test('every statement of the server obeys the owners of its tables', async () => {
  assert.deepEqual(await tableFindings(root, { owners: tableOwners, exceptions: tableExceptions }), []);
});

test('the rule reports every fault, and nothing else', async () => {
  const files = Object.entries(faults).map(([name, { sql }]) => [`server/payments/${name}.ts`, sends(sql)]);
  const tree = await plant({ ...allowed, ...Object.fromEntries(files) });
  assert.deepEqual(
    await tableFindings(tree, { owners, exceptions: none }),
    Object.entries(faults)
      .map(([name, { finding }]) => `server/payments/${name}.ts: ${finding}`)
      .toSorted(),
  );
});

test('the owners list exactly the tables and views of the migrated database', async () => {
  const { db } = await testDatabase();
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;
  assert.deepEqual(tables.map(({ name }) => name).toSorted(), Object.keys(tableOwners).toSorted());
});

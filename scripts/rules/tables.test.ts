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
const faults: Record<string, { source: string; finding: string }> = {
  update: { source: sends("update agents set tier = 'elite'"), finding: 'writes agents of agents/' },
  'update-from': {
    source: sends('update payments set x = a.x from only agents a where a.id = payments.id'),
    finding: 'reads agents of agents/',
  },
  delete: { source: sends('delete from projects where id = ${id}'), finding: 'writes projects of projects/' },
  'delete-using': {
    source: sends('delete from payments using projects p where p.id = payments.id'),
    finding: 'reads projects of projects/',
  },
  insert: { source: sends('insert into agent_keys ${tx(rows)}'), finding: 'writes agent_keys of agents/accounts/' },
  'insert-select': {
    source: sends('insert into payments (id) select id from agents where id = ${id} on conflict do nothing'),
    finding: 'reads agents of agents/',
  },
  merge: {
    source: sends('merge into payments using agents a on true when matched then delete'),
    finding: 'reads agents of agents/',
  },
  'lock-table': { source: sends('lock table agents in share mode'), finding: 'writes agents of agents/' },
  truncate: { source: sends('truncate agents'), finding: 'writes agents of agents/' },
  'drop-table': { source: sends('drop table if exists agents'), finding: 'writes agents of agents/' },
  'lock-rows': {
    source: sends('select 1 from payments p join agents a on true for share of a'),
    finding: 'locks rows of agents of agents/',
  },
  'write-in-cte': {
    source: sends('with gone as (delete from agents returning id) select id from gone'),
    finding: 'writes agents of agents/',
  },
  'read-in-cte': {
    source: sends('with found as materialized (select id from agents) select id from found'),
    finding: 'reads agents of agents/',
  },
  'read-in-union': {
    source: sends('(select id from payments) union all (select id from agents limit 1) order by id'),
    finding: 'reads agents of agents/',
  },
  'read-in-lateral': {
    source: sends('select 1 from payments p cross join lateral (select id from projects where id = p.x) x'),
    finding: 'reads projects of projects/',
  },
  'read-in-condition': {
    source: sends('select 1 from payments where ${id} in (select id from "agents")'),
    finding: 'reads agents of agents/',
  },
  'read-in-list': { source: sends('select 1 from payments, public.agents a'), finding: 'reads agents of agents/' },
  'read-in-fragment': {
    source:
      'export const of = (db: Db, id: string | null) => db`select 1 from payments ${id ? db`join agents a on a.id = ${id}` : db``}`;\n',
    finding: 'reads agents of agents/',
  },
  'read-in-a-list-fragment': {
    source: 'export const of = (db: Db) => db`select 1 from payments ${db`, agents a`} where true`;\n',
    finding: 'reads agents of agents/',
  },
  'name-handed-in': {
    source: "export const of = (db: Db) => db`select 1 from ${db('agents')} where true`;\n",
    finding: 'reads agents of agents/',
  },
  'name-at-run-time': {
    source: 'export const of = (db: Db, name: string) => db`select 1 from ${db(name)} where true`;\n',
    finding: 'a table that is only named when the program runs',
  },
  'unsafe-literal': {
    source: "export const of = (deps: Deps) => deps.db.unsafe('delete from agents where id = $1', ['x']);\n",
    finding: 'writes agents of agents/',
  },
  'unsafe-text': {
    source: 'export const of = (db: Db, text: string) => db.unsafe(text);\n',
    finding: 'a statement that is put together when the program runs',
  },
  'unsafe-by-another-name': {
    source: "export const of = (db: Db) => { const run = db['unsafe']; return run; };\n",
    finding: 'a statement that is put together when the program runs',
  },
  'no-sql': { source: sends('select from from where'), finding: 'SQL that cannot be read: select from from where' },
  'unknown-table': { source: sends('select 1 from agnets'), finding: 'unknown table agnets' },
  'dynamic-listed': {
    source:
      'const part = `(select id from agents where id = ${a} ${b} limit 1)`;\nexport const of = (db: Db) => db.unsafe(part);\n',
    finding: 'reads agents of agents/',
  },
  'dynamic-listed-broken': {
    source: 'const part = `select 1 from agents where where`;\nexport const of = (db: Db) => db.unsafe(part);\n',
    finding: 'SQL that cannot be read: select 1 from agents where where',
  },
};

test('every statement of the server obeys the owners of its tables', async () => {
  assert.deepEqual(await tableFindings(root, { owners: tableOwners, exceptions: tableExceptions }), []);
});

test('the rule reports every fault, and nothing else', async () => {
  const files = Object.entries(faults).map(([name, { source }]) => [`server/payments/${name}.ts`, source]);
  const tree = await plant({ ...allowed, ...Object.fromEntries(files) });
  const dynamic = ['dynamic-listed', 'dynamic-listed-broken'].map((name) => ({
    file: `server/payments/${name}.ts`,
    reason: 'its parts are read',
  }));
  assert.deepEqual(
    await tableFindings(tree, { owners, exceptions: { ...none, dynamic } }),
    Object.entries(faults)
      .map(([name, { finding }]) => `server/payments/${name}.ts: ${finding}`)
      .toSorted(),
  );
});

test('views/ may read every table, and may not write or lock one', async () => {
  const tree = await plant({
    'server/views/market/lock.ts': sends('select 1 from projects for update'),
    'server/views/market/write.ts': sends('update projects set title = ${id}'),
  });
  assert.deepEqual(await tableFindings(tree, { owners, exceptions: none }), [
    'server/views/market/lock.ts: locks rows of projects of projects/',
    'server/views/market/write.ts: writes projects of projects/',
  ]);
});

test('the rule reports a CTE that has the name of a table', async () => {
  const tree = await plant({ 'server/payments/hide.ts': sends('with agents as (select 1) select 1 from agents') });
  assert.deepEqual(await tableFindings(tree, { owners, exceptions: none }), [
    'a CTE hides the table agents',
    'server/payments/hide.ts: reads agents of agents/',
  ]);
});

test('an exception covers only its file, tables, and kind of use; the rule reports an unused exception', async () => {
  const read = 'select 1 from agents a join projects p on true';
  const tree = await plant({
    'server/payments/listed.ts': sends(`${read} for share of a`),
    'server/payments/other.ts': sends(read),
  });
  const reason = 'for this test';
  const listed = { file: 'server/payments/listed.ts', tables: ['projects'], locks: ['agents'], reason };
  const stale = { file: 'server/payments/listed.ts', tables: ['agents'], locks: ['projects'], reason };
  const dynamic = [{ file: 'server/payments/other.ts', reason }];
  assert.deepEqual(await tableFindings(tree, { owners, exceptions: { reads: [listed, stale], dynamic } }), [
    'server/payments/other.ts: reads agents of agents/',
    'server/payments/other.ts: reads projects of projects/',
    'stale exception: server/payments/listed.ts locks projects',
    'stale exception: server/payments/listed.ts reads agents',
    'stale exception: server/payments/other.ts',
  ]);
});

test('the owners list exactly the tables and views of the migrated database', async () => {
  const { db } = await testDatabase();
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`;
  assert.deepEqual(tables.map(({ name }) => name).toSorted(), Object.keys(tableOwners).toSorted());
});

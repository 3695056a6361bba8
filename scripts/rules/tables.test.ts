import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { plant, root } from './planted-tree.ts';
import { tableOwners } from './table-owners.ts';

// Only its owner writes a table. Everybody may read it.

const WRITE = /\b(?:insert\s+into|update|delete\s+from|truncate)\s+([a-z_]+)\b/g;

/** Returns each write of a table outside of its owner's folder, as `file: table`. */
function foreignWrites(tree: string, owners: Readonly<Record<string, string>>): string[] {
  const files = globSync('server/**/*.ts', { cwd: tree, exclude: ['**/*.test.ts'] });
  return files
    .flatMap((file) => {
      const written = [...readFileSync(join(tree, file), 'utf8').matchAll(WRITE)].map(([, table = '']) => table);
      const foreign = written.filter((table) => owners[table] && !file.startsWith(`server/${owners[table]}/`));
      return [...new Set(foreign)].map((table) => `${file}: ${table}`);
    })
    .toSorted();
}

test('no file writes a table of another owner', () => {
  assert.deepEqual(foreignWrites(root, tableOwners), []);
});

test('the rule finds each kind of write, also in a part of a statement, and no reads', async () => {
  const owners = { agents: 'agents', payments: 'payments' };
  const sends = (sql: string) => `export const send = (tx: Tx) => tx\`${sql}\`;\n`;
  const tree = await plant({
    'server/agents/queries.ts': sends('update agents set tier = 1'),
    'server/payments/insert.ts': sends('insert into agents (id) values (1)'),
    'server/payments/part.ts': sends('with gone as (\n delete from\n agents returning id) select id from gone'),
    'server/payments/read.ts': sends('select 1 from payments join agents on true for update'),
    'server/payments/truncate.test.ts': sends('truncate agents'),
    'server/projects/market/update.ts': sends('update payments set late = true'),
  });
  assert.deepEqual(foreignWrites(tree, owners), [
    'server/payments/insert.ts: agents',
    'server/payments/part.ts: agents',
    'server/projects/market/update.ts: payments',
  ]);
});

test('the owners list exactly the tables of the migrated database', async () => {
  const { db } = await testDatabase();
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  assert.deepEqual(tables.map(({ name }) => name).toSorted(), Object.keys(tableOwners).toSorted());
});

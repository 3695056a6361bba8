import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations } from '../../server/db/migration-files.ts';
import { VERSION } from '../../server/version.ts';
import { migrationFindings } from './migration-rules.ts';
import { plant } from './planted-tree.ts';

test('every migration is of the kind that it says', async () => {
  assert.deepEqual(await migrationFindings(await readMigrations(), VERSION), []);
});

const EXPAND = '-- Kind: expand\n';
const allowed = [
  `${EXPAND}create table notes (id uuid primary key, text text not null);\ncreate unique index notes_text on notes (text);`,
  `${EXPAND}alter table agents add column motto text check (motto <> ''), add column seen boolean not null default false;`,
  '-- Kind: expand, concurrently\ncreate index concurrently if not exists agents_motto on agents (motto);',
  `${EXPAND}create function motto_of(id uuid) returns text language sql as 'select 1::text';`,
  `${EXPAND}create or replace view mottos as select id, motto, 1 as added from agents;`,
  '-- Kind: contract, serves 0.2.0\nalter table agents drop column motto;\ndrop table notes;',
  '-- Kind: contract, concurrently, serves 0.2.0\ndrop index concurrently if exists agents_motto;',
];
const refused: [sql: string, finding: string][] = [
  ['select 1;', 'its first line says no kind: `-- Kind: expand`'],
  ['-- Kind: contract\ndrop table notes;', 'contracts, and does not say `serves` which version'],
  ['-- Kind: contract, serves 0.4.0\ndrop table notes;', 'serves 0.4.0 and later, which 0.3.0 itself is not'],
  ['-- Kind: expand, serves 0.2.0\nselect 1;', 'expands, so it must not say `serves`'],
  [`${EXPAND}drop table notes;`, 'drops'],
  [`${EXPAND}alter table agents drop column motto;`, 'AT_DropColumn of agents does more than add'],
  [`${EXPAND}alter table agents alter column motto set not null;`, 'AT_SetNotNull of agents does more than add'],
  [
    `${EXPAND}alter table agents add constraint few check (motto <> '');`,
    'AT_AddConstraint of agents does more than add',
  ],
  [
    `${EXPAND}alter table agents add column motto text not null;`,
    'the version before does not fill agents.motto: give it a default',
  ],
  [`${EXPAND}alter table agents rename column motto to words;`, 'RenameStmt is not known to only add'],
  [
    `${EXPAND}create index agents_motto on agents (motto);`,
    'an index of agents stops its writers: create it concurrently',
  ],
  [
    '-- Kind: expand, concurrently\ncreate unique index concurrently agents_motto on agents (motto);',
    'a unique index of agents can refuse what the version before writes',
  ],
  [
    `${EXPAND}create index concurrently agents_motto on agents (motto);`,
    'a concurrent statement needs `, concurrently`',
  ],
  [
    `${EXPAND}create or replace function motto_of(id uuid) returns text language sql as 'select 1::text';`,
    'CreateFunctionStmt replaces what the version before uses',
  ],
  [`${EXPAND}delete from agents;`, 'DeleteStmt is not known to only add'],
  [`${EXPAND}do $$ begin drop table agents; end $$;`, 'DoStmt is not known to only add'],
  [`${EXPAND}truncate agents;`, 'TruncateStmt is not known to only add'],
];

test('the rule reports every fault, and nothing else', async () => {
  const nameOf = (index: number) => `${9000 + index}_planted.sql`;
  const planted = [...allowed, ...refused.map(([sql]) => sql)];
  const tree = await plant(Object.fromEntries(planted.map((sql, index) => [nameOf(index), `${sql}\n`])));
  assert.deepEqual(
    await migrationFindings(await readMigrations(tree), '0.3.0'),
    refused.map(([, finding], index) => `${nameOf(allowed.length + index)}: ${finding}`),
  );
});

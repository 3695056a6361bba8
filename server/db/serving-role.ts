import { withTransaction } from './transaction.ts';
import type { Db, Tx } from '../ports/database.ts';

/** A signer reads one view, which runs with the rights of its owner. */
const SIGNER_RIGHTS = ['grant usage on schema %1$I to %2$I', 'grant select on %1$I.signer_transfers to %2$I'];

/** `%1$I` is the schema of the tables, `%2$I` the role. */
const RIGHTS = [
  'grant usage on schema %1$I to %2$I',
  'grant select, insert, update, delete on all tables in schema %1$I to %2$I',
  'grant usage, select on all sequences in schema %1$I to %2$I',
  'grant execute on all functions in schema %1$I to %2$I',
  'alter default privileges in schema %1$I grant select, insert, update, delete on tables to %2$I',
  'alter default privileges in schema %1$I grant usage, select on sequences to %2$I',
  'alter default privileges in schema %1$I grant execute on functions to %2$I',
];

/**
 * Gives a role the rights to serve: reading and writing rows, sequences, and functions. It gets no right to change the schema,
 * to truncate, or to write the list of migrations. Tables that this owner creates later get the same rights.
 *
 * @throws Error when the role does not exist or owns the tables itself, or when the caller's role does not own them
 */
export async function grantServing(db: Db, role: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    await grant(tx, role, RIGHTS);
    await tx`revoke insert, update, delete on migrations from ${tx(role)}`;
  });
}

/**
 * Gives a role the right to read what `concours-server signer` needs, and nothing else.
 *
 * @throws Error when the role does not exist or owns the tables itself, or when the caller's role does not own them
 */
export async function grantSigner(db: Db, role: string): Promise<void> {
  await withTransaction(db, (tx) => grant(tx, role, SIGNER_RIGHTS));
}

async function grant(tx: Tx, role: string, rights: readonly string[]): Promise<void> {
  const [row] = await tx<{ owner: boolean; may: boolean; schema: string }[]>`
    select pg_has_role(r.oid, c.relowner, 'member') as owner, pg_has_role(c.relowner, 'member') as may, n.nspname as schema
    from pg_roles r, pg_class c join pg_namespace n on n.oid = c.relnamespace
    where r.rolname = ${role} and c.oid = 'migrations'::regclass`;
  if (!row) throw new Error(`the role ${role} does not exist. Create it first: create role ${role} login password '…'`);
  if (row.owner) throw new Error(`the role ${role} owns the tables, so it has every right`);
  // PostgreSQL only warns, and grants nothing.
  if (!row.may)
    throw new Error('connect as a role that owns the tables: PostgreSQL lets no other role give rights to them');
  for (const right of rights) {
    // Names cannot be parameters of a statement; `format` quotes them.
    const [made] = await tx<{ sql: string }[]>`select format(${right}, ${row.schema}::text, ${role}::text) as sql`;
    if (made) await tx.unsafe(made.sql);
  }
}

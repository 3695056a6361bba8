import { withTransaction } from './transaction.ts';
import type { Db } from '../ports/database.ts';

/**
 * Gives a role the rights to serve: reading and writing rows, sequences, and functions. It gets no right to change the schema,
 * to truncate, or to write the list of migrations. Tables that this owner creates later get the same rights.
 *
 * @throws Error when the role does not exist, or owns the tables itself
 */
export async function grantServing(db: Db, role: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    const [row] = await tx<{ owner: boolean; schema: string }[]>`
      select pg_has_role(r.oid, c.relowner, 'member') as owner, n.nspname as schema
      from pg_roles r, pg_class c join pg_namespace n on n.oid = c.relnamespace
      where r.rolname = ${role} and c.oid = 'migrations'::regclass`;
    if (!row)
      throw new Error(`the role ${role} does not exist. Create it first: create role ${role} login password '…'`);
    if (row.owner) throw new Error(`the role ${role} owns the tables, so it needs no rights to serve`);
    const [schema, to] = [tx(row.schema), tx(role)];
    await tx`grant usage on schema ${schema} to ${to}`;
    await tx`grant select, insert, update, delete on all tables in schema ${schema} to ${to}`;
    await tx`revoke insert, update, delete on migrations from ${to}`;
    await tx`grant usage, select on all sequences in schema ${schema} to ${to}`;
    await tx`grant execute on all functions in schema ${schema} to ${to}`;
    await tx`alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${to}`;
    await tx`alter default privileges in schema ${schema} grant usage, select on sequences to ${to}`;
    await tx`alter default privileges in schema ${schema} grant execute on functions to ${to}`;
  });
}

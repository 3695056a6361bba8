import type { Tx } from '../ports/database.ts';

const TIME_LIMITS = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '15s',
};

/**
 * Sets the time limits for all later connections of this role to this database. A pooler drops the settings of a session
 * and refuses most settings at the start of a connection, so the role has to hold them. A role may set its own limits
 * without any further right.
 */
export async function setTimeLimits(tx: Tx): Promise<void> {
  const [row] = await tx<{ limits: string[] }[]>`
    select setconfig as limits from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())
      and setrole = (select oid from pg_roles where rolname = current_user)`;
  for (const [name, value] of Object.entries(TIME_LIMITS)) {
    if (row?.limits.includes(`${name}=${value}`)) continue;
    await tx.unsafe(
      `do $$ begin execute format('alter role current_user in database %I set ${name} = ''${value}''', current_database()); end $$`,
    );
  }
}

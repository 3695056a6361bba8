import type { Db, Tx } from './database.ts';

const TIME_LIMITS = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '15s',
};

/** With each of these, a commit that a client has heard of survives a crash, and a failover to a synchronous standby. */
const DURABLE = ['on', 'remote_apply', 'remote_write'];

/**
 * Sets the time limits and the durability of commits for all later connections of this role to this database. A pooler drops
 * the settings of a session and refuses most settings at the start of a connection, so the role has to hold them. A role may
 * set its own limits without any further right.
 *
 * A setting of a role in a database wins over those of the role, the database, and the server. So none of them can let a
 * payment be acknowledged before it is on disk. A stricter `synchronous_commit` stays.
 */
export async function setTimeLimits(tx: Tx): Promise<void> {
  const [row] = await tx<{ limits: string[] }[]>`
    select setconfig as limits from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())
      and setrole = (select oid from pg_roles where rolname = current_user)`;
  const held = row?.limits ?? [];
  const now = await synchronousCommit(tx);
  const commit =
    DURABLE.find((value) => held.includes(`synchronous_commit=${value}`)) ?? (DURABLE.includes(now) ? now : 'on');
  const wanted = { ...TIME_LIMITS, synchronous_commit: commit };
  for (const [name, value] of Object.entries(wanted)) {
    if (held.includes(`${name}=${value}`)) continue;
    await tx.unsafe(
      `do $$ begin execute format('alter role current_user in database %I set ${name} = ''${value}''', current_database()); end $$`,
    );
  }
}

async function synchronousCommit(db: Db | Tx): Promise<string> {
  const [row] = await db<{ value: string }[]>`select current_setting('synchronous_commit') as value`;
  return row?.value ?? '';
}

/**
 * Call it on a connection that was opened after `setTimeLimits`.
 *
 * @throws Error when a crash could lose a payment that the service has acknowledged
 */
export async function requireDurableCommits(db: Db): Promise<void> {
  const value = await synchronousCommit(db);
  if (DURABLE.includes(value)) return;
  throw new Error(
    `synchronous_commit is ${value} for connections of this service, so a crash could lose acknowledged payments. ` +
      'A pooler keeps connections from before the setting was made, or sets it itself: remove the setting there, restart the pooler, and start again.',
  );
}

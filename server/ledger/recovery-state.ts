import type { Queryable } from '../ports/database.ts';

/** Returns why a recovery must run before the service moves money again. Null if none must. */
export async function recoveryNeeded(db: Queryable): Promise<string | null> {
  const [row] = await db<{ reason: string }[]>`select reason from recovery_state where needed_since is not null`;
  return row?.reason ?? null;
}

/** Stops all money until a recovery has run. A reason that is stored already stays. */
export async function requireRecovery(db: Queryable, reason: string, at: Date): Promise<void> {
  await db`
    insert into recovery_state as kept (needed_since, reason) values (${at}, ${reason})
    on conflict (single) do update set needed_since = excluded.needed_since, reason = excluded.reason
      where kept.needed_since is null`;
}

/** Stores up to which block everything was recovered. Money moves again. */
export async function finishRecovery(db: Queryable, untilBlock: number, at: Date): Promise<void> {
  await db`
    insert into recovery_state as kept (recovered_until, recovered_at) values (${untilBlock}, ${at})
    on conflict (single) do update set needed_since = null, reason = null, recovered_at = excluded.recovered_at,
      recovered_until = greatest(kept.recovered_until, excluded.recovered_until)`;
}

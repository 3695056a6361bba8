import type { Db } from '../../db/database.ts';

/**
 * Takes the lane when it is free, already held by `holder`, past its lease, or held over a database connection that has
 * ended. Such a connection means that its holder was killed. A holder that only lost its connection may broadcast at the
 * same time with the same nonce: the node then refuses one of the two. All times come from PostgreSQL, the one clock that
 * the processes share.
 *
 * Behind a pooler (`pooled`), a connection of the database belongs to the pooler and tells nothing about the holder. Then
 * only the lease ends the hold of a killed process.
 */
export async function takeLane(
  db: Db,
  address: string,
  holder: string,
  leaseSeconds: number,
  pooled = false,
): Promise<boolean> {
  const rows = await db`
    insert into signer_lanes as lane (address, holder, lease_until, backend_pid, backend_start)
    select ${address}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseSeconds}), own.pid, own.backend_start
    from (values (1)) one left join pg_stat_get_activity(pg_backend_pid()) own on not ${pooled}
    on conflict (address) do update set holder = excluded.holder, lease_until = excluded.lease_until,
      backend_pid = excluded.backend_pid, backend_start = excluded.backend_start
      where lane.holder = excluded.holder or lane.lease_until <= clock_timestamp()
        or (lane.backend_pid is not null and not exists (
          select 1 from pg_stat_get_activity(lane.backend_pid) holding
          where coalesce(holding.backend_start = lane.backend_start, true)))
    returning 1`;
  return rows.length === 1;
}

/** Extends the lease of `holder`, unless it has run out. */
export async function renewLane(db: Db, address: string, holder: string, leaseSeconds: number): Promise<void> {
  await db`
    update signer_lanes set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where address = ${address} and holder = ${holder} and lease_until > clock_timestamp()`;
}

/** Releases the lane, if `holder` still holds it. */
export async function giveBackLane(db: Db, address: string, holder: string): Promise<void> {
  await db`update signer_lanes set lease_until = '-infinity' where address = ${address} and holder = ${holder}`;
}

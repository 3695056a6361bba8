import type { Db } from '../ports/database.ts';

/**
 * Takes the lane that is free, one's own, past its lease, or held over a connection that has ended: then its holder was
 * killed. (If it lost its connection alone, two may broadcast with one nonce: the node refuses one of them, and the chain
 * decides.) Timed by the database, the one clock that the processes share.
 */
export async function takeLane(db: Db, address: string, holder: string, leaseSeconds: number): Promise<boolean> {
  const rows = await db`
    insert into signer_lanes as lane (address, holder, lease_until, backend_pid, backend_start)
    select ${address}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseSeconds}), own.pid, own.backend_start
    from pg_stat_get_activity(pg_backend_pid()) own
    on conflict (address) do update set holder = excluded.holder, lease_until = excluded.lease_until,
      backend_pid = excluded.backend_pid, backend_start = excluded.backend_start
      where lane.holder = excluded.holder or lane.lease_until <= clock_timestamp() or not exists (
        select 1 from pg_stat_get_activity(lane.backend_pid) holding
        where coalesce(holding.backend_start = lane.backend_start, true))
    returning 1`;
  return rows.length === 1;
}

export async function giveBackLane(db: Db, address: string, holder: string): Promise<void> {
  await db`update signer_lanes set lease_until = '-infinity' where address = ${address} and holder = ${holder}`;
}

import type { Db } from '../context.ts';

/** Timed by the database, the one clock that the processes share. */
export async function takeLane(db: Db, address: string, holder: string, leaseSeconds: number): Promise<boolean> {
  const rows = await db`
    insert into signer_lanes as lane (address, holder, lease_until)
    values (${address}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
    on conflict (address) do update set holder = excluded.holder, lease_until = excluded.lease_until
      where lane.holder = excluded.holder or lane.lease_until <= clock_timestamp()
    returning 1`;
  return rows.length === 1;
}

export async function giveBackLane(db: Db, address: string, holder: string): Promise<void> {
  await db`update signer_lanes set lease_until = '-infinity' where address = ${address} and holder = ${holder}`;
}

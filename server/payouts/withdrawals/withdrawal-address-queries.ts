import type { Queryable, Tx } from '../../ports/database.ts';

export type WithdrawalAddress = { address: string; addedBy: string; reason: string; createdAt: Date; usableAt: Date };

/** Adds an address. Returns false when it is there already: its wait does not begin again. */
export async function insertAddress(tx: Tx, row: WithdrawalAddress): Promise<boolean> {
  const rows = await tx`
    insert into withdrawal_addresses (address, added_by, reason, created_at, usable_at)
    values (${row.address}, ${row.addedBy}, ${row.reason}, ${row.createdAt}, ${row.usableAt})
    on conflict do nothing returning address`;
  return rows.length > 0;
}

/** Removes an address and returns its row. */
export async function deleteAddress(tx: Tx, address: string): Promise<WithdrawalAddress | null> {
  const [row] = await tx<WithdrawalAddress[]>`
    delete from withdrawal_addresses where address = ${address}
    returning address, added_by as "addedBy", reason, created_at as "createdAt", usable_at as "usableAt"`;
  return row ?? null;
}

export async function listAddresses(db: Queryable): Promise<WithdrawalAddress[]> {
  return await db<WithdrawalAddress[]>`
    select address, added_by as "addedBy", reason, created_at as "createdAt", usable_at as "usableAt"
    from withdrawal_addresses order by created_at desc, address limit 500`;
}

/** Returns an address and keeps it until the transaction ends, so that nobody removes it meanwhile. */
export async function lockAddress(tx: Tx, address: string): Promise<WithdrawalAddress | null> {
  const [row] = await tx<WithdrawalAddress[]>`
    select address, added_by as "addedBy", reason, created_at as "createdAt", usable_at as "usableAt"
    from withdrawal_addresses where address = ${address} for share`;
  return row ?? null;
}

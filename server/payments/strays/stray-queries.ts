import { createHash } from 'node:crypto';
import type { Input } from '../../../contract/basics/operation.ts';
import type { strayOperations } from '../../../contract/operator/strays.ts';
import { readNewest } from '../../paging.ts';
import type { ChainTransfer } from '../../chain/types.ts';
import type { Queryable, Tx } from '../../db/database.ts';

export type StrayTransfer = {
  id: string;
  txHash: string;
  logIndex: number;
  from: string;
  amountMicro: number;
  blockNumber: number;
  recordedAt: Date;
  /** The payment that the transfer turned out to be. */
  paymentId: string | null;
  /** When the operator gave it back. */
  returnedAt: Date | null;
};

const columns = (db: Queryable) => db`
  id, tx_hash as "txHash", log_index as "logIndex", sender as "from", amount_micro as "amountMicro",
  block_number as "blockNumber", recorded_at as "recordedAt", payment_id as "paymentId", returned_at as "returnedAt"`;

/**
 * Keeps every other transaction from claiming or booking a payment until this one ends. An earlier booking is visible to
 * this transaction; a later one sees what this transaction wrote. The wait is short, because all payments queue behind it.
 */
export async function lockPayments(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = '1s'`;
  await tx`lock table payments in exclusive mode`;
}

/**
 * Derives the id of a stray from its transfer. The nonce of its return comes from the id, so the token contract refuses a
 * second return, even after a restore that lost the first one.
 */
export function strayId(network: string, { txHash, logIndex }: Pick<ChainTransfer, 'txHash' | 'logIndex'>): string {
  const hex = createHash('sha256').update(`stray:${network}:${txHash}:${logIndex}`).digest('hex');
  // Version 8 and the variant of RFC 9562.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Records transfers that are neither a stray nor a payment yet. Returns those. */
export async function insertStrays(
  tx: Tx,
  network: string,
  transfers: ChainTransfer[],
  now: Date,
): Promise<ChainTransfer[]> {
  const rows = transfers.map((transfer) => ({
    id: strayId(network, transfer),
    tx_hash: transfer.txHash,
    log_index: transfer.logIndex,
    sender: transfer.from,
    amount_micro: transfer.amountMicro,
    block_number: transfer.blockNumber,
  }));
  const inserted = await tx<{ txHash: string; logIndex: number }[]>`
    insert into stray_transfers (id, network, tx_hash, log_index, sender, amount_micro, block_number, recorded_at)
    select t.id, ${network}, t.tx_hash, t.log_index, t.sender, t.amount_micro, t.block_number, ${now}
    from jsonb_to_recordset(${tx.json(rows)})
      as t (id uuid, tx_hash text, log_index integer, sender text, amount_micro bigint, block_number bigint)
    where not exists (
      select 1 from payments p where p.network = ${network} and p.tx_hash = t.tx_hash and p.log_index = t.log_index)
    on conflict do nothing
    returning tx_hash as "txHash", log_index as "logIndex"`;
  const recorded = new Set(inserted.map(({ txHash, logIndex }) => `${txHash}:${logIndex}`));
  return transfers.filter(({ txHash, logIndex }) => recorded.has(`${txHash}:${logIndex}`));
}

/** Takes a stray that belongs to no payment, to give it back. Null when it has an owner or was given back before. */
export async function takeStray(tx: Tx, network: string, id: string, now: Date): Promise<StrayTransfer | null> {
  const [row] = await tx<StrayTransfer[]>`
    update stray_transfers set returned_at = ${now}
    where network = ${network} and id = ${id} and payment_id is null and returned_at is null
    returning ${columns(tx)}`;
  return row ?? null;
}

export async function findStray(db: Queryable, network: string, id: string): Promise<StrayTransfer | null> {
  const [row] = await db<StrayTransfer[]>`
    select ${columns(db)} from stray_transfers where network = ${network} and id = ${id}`;
  return row ?? null;
}

type StrayQuery = Input<typeof strayOperations.listStrays>['query'];

/** Reads a page of strays, newest first. Index stray_transfers_recorded. */
export async function listStrayRows(db: Queryable, network: string, query: StrayQuery) {
  const state = db`case when returned_at is not null then 'returned' when payment_id is null then 'unclaimed' else 'claimed' end`;
  return await readNewest<StrayTransfer>(db, query, {
    rows: db`
      select ${columns(db)} from stray_transfers
      where network = ${network} ${query.state === undefined ? db`` : db`and ${state} = any(${query.state})`}`,
    at: db`recorded_at`,
    id: db`id`,
    amount: db`amount_micro`,
    cursorOf: ({ recordedAt, id }) => ({ at: recordedAt, id }),
  });
}

/** Index stray_transfers_block. */
export async function straysBetween(
  db: Queryable,
  network: string,
  from: number,
  to: number,
): Promise<StrayTransfer[]> {
  return await db<StrayTransfer[]>`
    select ${columns(db)} from stray_transfers where network = ${network} and block_number between ${from} and ${to}`;
}

/**
 * Sums the strays that belong to nobody. `afterMicro`: what came after `block` without a payment, strays that were given
 * back included. Index stray_transfers_nobodys.
 */
export async function unclaimedStrays(
  db: Queryable,
  network: string,
  block: number,
): Promise<{ count: number; micro: number; afterMicro: number }> {
  const [row] = await db<{ count: number; micro: number; afterMicro: number }[]>`
    select count(*) filter (where returned_at is null) as count,
      coalesce(sum(amount_micro) filter (where returned_at is null), 0)::bigint as micro,
      coalesce(sum(amount_micro) filter (where block_number > ${block}), 0)::bigint as "afterMicro"
    from stray_transfers where network = ${network} and payment_id is null`;
  return row ?? { count: 0, micro: 0, afterMicro: 0 };
}

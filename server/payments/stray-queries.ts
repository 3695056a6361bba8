import type { ChainTransfer } from '../ports/chain.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type StrayTransfer = {
  txHash: string;
  logIndex: number;
  from: string;
  amountMicro: number;
  blockNumber: number;
  paymentId: string | null;
};

/**
 * Keeps every other transaction from claiming or booking a payment until this one ends. An earlier booking is visible to
 * this transaction; a later one sees what this transaction wrote. The wait is short, because all payments queue behind it.
 */
export async function lockPayments(tx: Tx): Promise<void> {
  await tx`set local lock_timeout = '1s'`;
  await tx`lock table payments in exclusive mode`;
}

/** Records transfers that are neither a stray nor a payment yet. Returns those. */
export async function insertStrays(
  tx: Tx,
  network: string,
  transfers: ChainTransfer[],
  now: Date,
): Promise<ChainTransfer[]> {
  const rows = transfers.map((transfer) => ({
    tx_hash: transfer.txHash,
    log_index: transfer.logIndex,
    sender: transfer.from,
    amount_micro: transfer.amountMicro,
    block_number: transfer.blockNumber,
  }));
  const inserted = await tx<{ txHash: string; logIndex: number }[]>`
    insert into stray_transfers (network, tx_hash, log_index, sender, amount_micro, block_number, recorded_at)
    select ${network}, t.tx_hash, t.log_index, t.sender, t.amount_micro, t.block_number, ${now}
    from jsonb_to_recordset(${tx.json(rows)})
      as t (tx_hash text, log_index integer, sender text, amount_micro bigint, block_number bigint)
    where not exists (
      select 1 from payments p where p.network = ${network} and p.tx_hash = t.tx_hash and p.log_index = t.log_index)
    on conflict do nothing
    returning tx_hash as "txHash", log_index as "logIndex"`;
  const recorded = new Set(inserted.map(({ txHash, logIndex }) => `${txHash}:${logIndex}`));
  return transfers.filter(({ txHash, logIndex }) => recorded.has(`${txHash}:${logIndex}`));
}

type TransferId = { network: string; txHash: string; logIndex: number };

/** True when this transfer was a stray. It belongs to the payment from now on. */
export async function claimStray(
  tx: Tx,
  { network, txHash, logIndex }: TransferId,
  paymentId: string,
): Promise<boolean> {
  const { count } = await tx`
    update stray_transfers set payment_id = ${paymentId}
    where network = ${network} and tx_hash = ${txHash} and log_index = ${logIndex} and payment_id is null`;
  return count === 1;
}

/** Index stray_transfers_block. */
export async function straysBetween(
  db: Queryable,
  network: string,
  from: number,
  to: number,
): Promise<StrayTransfer[]> {
  return await db<StrayTransfer[]>`
    select tx_hash as "txHash", log_index as "logIndex", sender as "from", amount_micro as "amountMicro",
      block_number as "blockNumber", payment_id as "paymentId"
    from stray_transfers where network = ${network} and block_number between ${from} and ${to}`;
}

/** Sums the strays that belong to no payment: all of them, and those after `block`. Index stray_transfers_nobodys. */
export async function unclaimedStrays(
  db: Queryable,
  network: string,
  block: number,
): Promise<{ count: number; micro: number; afterMicro: number }> {
  const [row] = await db<{ count: number; micro: number; afterMicro: number }[]>`
    select count(*) as count, coalesce(sum(amount_micro), 0)::bigint as micro,
      coalesce(sum(amount_micro) filter (where block_number > ${block}), 0)::bigint as "afterMicro"
    from stray_transfers where network = ${network} and payment_id is null`;
  return row ?? { count: 0, micro: 0, afterMicro: 0 };
}

import { recordAudit } from '../../audit/public.ts';
import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { postJournal, TREASURY, UNEXPLAINED } from '../../ledger/public.ts';
import type { ChainTransfer, PaidTransfer } from '../../chain/types.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { lockPayments } from './stray-queries.ts';

/** A transfer out of the treasury that the operator adopted, because it matches no payout. */
export type AdoptedTransfer = {
  txHash: string;
  logIndex: number;
  to: string;
  amountMicro: number;
  blockNumber: number;
  /** The payment that the transfer turned out to be. */
  paymentId: string | null;
};

/**
 * Books a transfer out of the treasury that belongs to no payout to the account `unexplained`. Returns false if it is
 * adopted already, or is a payment. The caller has read the transfer from the chain.
 */
export async function bookAdoptedTransfer(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'network'>,
  transfer: ChainTransfer,
  reason: string,
): Promise<boolean> {
  return await withTransaction(deps.db, async (tx) => {
    await lockPayments(tx);
    const at = deps.clock.now();
    const { txHash, logIndex, to, amountMicro, blockNumber } = transfer;
    const network = deps.network.id;
    const { count } = await tx`
      insert into adopted_transfers
        (network, tx_hash, log_index, recipient, amount_micro, block_number, reason)
      select ${network}, ${txHash}, ${logIndex}, ${to}, ${amountMicro}, ${blockNumber}, ${reason}
      where not exists (
        select 1 from payments where network = ${network} and tx_hash = ${txHash} and log_index = ${logIndex})
      on conflict do nothing`;
    if (count === 0) return false;
    await postJournal(tx, {
      id: deps.newId(),
      kind: 'adopted_transfer',
      paymentId: null,
      at,
      lines: [
        { account: UNEXPLAINED, amountMicro },
        { account: TREASURY, amountMicro: -amountMicro },
      ],
    });
    await recordAudit(deps, tx, {
      at,
      actor: 'operator',
      action: 'transfer.adopt',
      subject: `transfer:${txHash}:${logIndex}`,
      reason,
      details: { recipient: to, amount_micro: amountMicro },
    });
    return true;
  });
}

export async function adoptedBetween(
  db: Queryable,
  network: string,
  from: number,
  to: number,
): Promise<AdoptedTransfer[]> {
  return await db<AdoptedTransfer[]>`
    select tx_hash as "txHash", log_index as "logIndex", recipient as "to", amount_micro as "amountMicro",
      block_number as "blockNumber", payment_id as "paymentId"
    from adopted_transfers where network = ${network} and block_number between ${from} and ${to}`;
}

/** Sums the adopted transfers that belong to no payment: all of them, and those after a block. */
export async function unexplainedTransfers(
  db: Queryable,
  network: string,
  block: number,
): Promise<{ micro: number; afterMicro: number }> {
  const [row] = await db<{ micro: number; afterMicro: number }[]>`
    select coalesce(sum(amount_micro), 0)::bigint as micro,
      coalesce(sum(amount_micro) filter (where block_number > ${block}), 0)::bigint as "afterMicro"
    from adopted_transfers where network = ${network} and payment_id is null`;
  return row ?? { micro: 0, afterMicro: 0 };
}

/** Gives an adopted transfer to the payment that it turned out to be. Returns false if it was not adopted. */
export async function claimAdopted(
  tx: Tx,
  payment: { id: string; network: string },
  { txHash, logIndex }: PaidTransfer,
): Promise<boolean> {
  const { count } = await tx`
    update adopted_transfers set payment_id = ${payment.id}
    where network = ${payment.network} and tx_hash = ${txHash} and log_index = ${logIndex} and payment_id is null`;
  return count === 1;
}

import { recordAudits } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';

/** Where a transaction's log is on chain. A reorganization can move it. */
export type LogPosition = { blockNumber: number; logIndex: number };

/** A settled payment whose transaction was mined again elsewhere. */
export type MovedPayment = { id: string; txHash: string; was: LogPosition; is: LogPosition };

/**
 * Writes where the transfers of settled payments are on chain now. The caller has read them from the chain, in the
 * transactions of these payments. A payment that another check has moved since then stays as it is.
 */
export async function relocatePayments(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'log'>,
  moved: MovedPayment[],
): Promise<void> {
  if (moved.length === 0) return;
  await withTransaction(deps.db, async (tx) => {
    const rows = await tx<(LogPosition & { id: string })[]>`
      select id, block_number as "blockNumber", log_index as "logIndex" from payments
      where id = any(${moved.map(({ id }) => id)}) and state = 'settled' order by id for update`;
    const positions = new Map(rows.map((row) => [row.id, row]));
    const still = moved.filter(({ id, was }) => {
      const row = positions.get(id);
      return row?.blockNumber === was.blockNumber && row.logIndex === was.logIndex;
    });
    if (still.length === 0) return;
    // A transfer can take the position that another one leaves. The unique index would refuse that within one statement.
    await tx`update payments set log_index = -1 - log_index where id = any(${still.map(({ id }) => id)})`;
    const places = still.map(({ id, is }) => ({ id, block_number: is.blockNumber, log_index: is.logIndex }));
    await tx`
      update payments p set block_number = t.block_number, log_index = t.log_index
      from jsonb_to_recordset(${tx.json(places)}) as t (id uuid, block_number bigint, log_index integer) where p.id = t.id`;
    const at = deps.clock.now();
    const audits = still.map(({ id, txHash, was, is }) => ({
      at,
      actor: 'service',
      action: 'payment.relocate' as const,
      subject: `payment:${id}` as const,
      reason: 'its transaction was mined again elsewhere',
      details: {
        tx_hash: txHash,
        block_before: was.blockNumber,
        log_before: was.logIndex,
        block: is.blockNumber,
        log: is.logIndex,
      },
    }));
    await recordAudits(deps, tx, audits);
  });
  deps.log.warn({ payments: moved.length }, 'the transactions of settled payments were mined again elsewhere');
}

import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { lockLogPositions, updateLogPositions } from './queries.ts';

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
    const positions = new Map(
      (
        await lockLogPositions(
          tx,
          moved.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    );
    const still = moved.filter(({ id, was }) => {
      const row = positions.get(id);
      return row?.blockNumber === was.blockNumber && row.logIndex === was.logIndex;
    });
    if (still.length === 0) return;
    await updateLogPositions(
      tx,
      still.map(({ id, is }) => ({ id, ...is })),
    );
    const at = deps.clock.now();
    for (const { id, txHash, was, is } of still)
      await recordAudit(deps, tx, {
        at,
        actor: 'service',
        action: 'payment.relocate',
        subject: `payment:${id}`,
        reason: 'its transaction was mined again elsewhere',
        details: {
          tx_hash: txHash,
          block_before: was.blockNumber,
          log_before: was.logIndex,
          block: is.blockNumber,
          log: is.logIndex,
        },
      });
  });
  deps.log.warn({ payments: moved.length }, 'the transactions of settled payments were mined again elsewhere');
}

import { recordAudit } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { recordAlert } from '../../events/public.ts';
import { STRAY, TREASURY, postJournal } from '../../ledger/public.ts';
import type { ChainTransfer, PaidTransfer } from '../../chain/types.ts';
import { lockPayments, insertStrays } from './stray-queries.ts';
import type { Tx } from '../../db/database.ts';

// All payments wait while a batch is written. A batch is one journal, so that a flood of dust costs little.
const BATCH = 1000;

/**
 * Books USDC that came to the treasury and belongs to no payment. Anyone can send USDC to the treasury, so it is no
 * mismatch of the ledger. The caller has checked that the transfers are final. Recording a transfer again does nothing.
 */
export async function recordStrays(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'network' | 'log'>,
  transfers: ChainTransfer[],
): Promise<void> {
  for (let from = 0; from < transfers.length; from += BATCH) {
    const recorded = await withTransaction(deps.db, async (tx) => {
      await lockPayments(tx);
      const now = deps.clock.now();
      const strays = await insertStrays(tx, deps.network.id, transfers.slice(from, from + BATCH), now);
      if (strays.length > 0) await bookStrays(deps, tx, strays, now);
      return strays;
    });
    if (recorded.length === 0) continue;
    const amountMicro = recorded.reduce((sum, stray) => sum + stray.amountMicro, 0);
    deps.log.warn(
      { transfers: recorded.length, amountMicro, newest: recorded.at(-1)?.txHash },
      'the treasury received USDC that belongs to no payment',
    );
  }
}

/** One journal and one audit entry for a batch. The rows hold the single transfers. */
async function bookStrays(deps: Pick<Deps, 'newId'>, tx: Tx, strays: ChainTransfer[], now: Date): Promise<void> {
  const amountMicro = strays.reduce((sum, stray) => sum + stray.amountMicro, 0);
  const [first] = strays;
  await Promise.all([
    postJournal(tx, {
      id: deps.newId(),
      kind: 'stray_transfer',
      paymentId: null,
      at: now,
      lines: [
        { account: TREASURY, amountMicro },
        { account: STRAY, amountMicro: -amountMicro },
      ],
    }),
    recordAudit(deps, tx, {
      at: now,
      actor: 'service',
      action: 'transfer.stray',
      subject: `transfer:${first?.txHash}:${first?.logIndex}`,
      details: {
        transfers: strays.length,
        sender: strays.length === 1 ? (first?.from ?? null) : null,
        amount_micro: amountMicro,
      },
    }),
    recordAlert(tx, now, {
      alert: 'stray_transfer',
      subject: `transfer:${first?.txHash}:${first?.logIndex}`,
      message: 'The treasury received USDC that belongs to no payment.',
      details: { transfers: strays.length, amount_micro: amountMicro },
    }),
  ]);
}

/**
 * Returns the ledger account that a payment's money came to: the treasury, or `stray` when the transfer was recorded as a
 * stray before the payment was presented. The stray belongs to the payment from then on. Null if the operator has given
 * the stray back. Runs in the booking transaction.
 */
export async function claimTransfer(
  tx: Tx,
  payment: { id: string; network: string },
  { txHash, logIndex }: PaidTransfer,
): Promise<string | null> {
  const place = tx`network = ${payment.network} and tx_hash = ${txHash} and log_index = ${logIndex}`;
  // The second statement sees what was committed while the first one waited.
  const [{ count }, returned] = await Promise.all([
    tx`update stray_transfers set payment_id = ${payment.id} where ${place} and payment_id is null and returned_at is null`,
    tx`select 1 from stray_transfers where ${place} and returned_at is not null`,
  ]);
  if (count === 1) return STRAY;
  return returned.length > 0 ? null : TREASURY;
}

import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { STRAY, TREASURY, postJournal } from '../ledger/public.ts';
import type { ChainTransfer, PaidTransfer } from '../ports/chain.ts';
import { claimStray, lockPayments, insertStrays } from './stray-queries.ts';
import type { Tx } from '../ports/database.ts';

// All payments wait while a batch is written.
const BATCH = 50;

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
      await Promise.all(strays.map((stray) => bookStray(deps, tx, stray, now)));
      return strays;
    });
    for (const { txHash, from: sender, amountMicro } of recorded)
      deps.log.warn({ txHash, sender, amountMicro }, 'the treasury received USDC that belongs to no payment');
  }
}

async function bookStray(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { txHash, logIndex, from, amountMicro }: ChainTransfer,
  now: Date,
): Promise<void> {
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
      subject: `transfer:${txHash}:${logIndex}`,
      details: { sender: from, amount_micro: amountMicro },
    }),
  ]);
}

/**
 * Returns the ledger account that a payment's money came to: the treasury, or `stray` when the transfer was recorded as a
 * stray before the payment was presented. The stray belongs to the payment from then on. Runs in the booking transaction.
 */
export async function claimTransfer(
  tx: Tx,
  payment: { id: string; network: string },
  { txHash, logIndex }: PaidTransfer,
): Promise<string> {
  const wasStray = await claimStray(tx, { network: payment.network, txHash, logIndex }, payment.id);
  return wasStray ? STRAY : TREASURY;
}

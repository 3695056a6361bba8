import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { STRAY, TREASURY, postJournal } from '../ledger/public.ts';
import type { ChainTransfer, PaidTransfer } from '../ports/chain.ts';
import { claimStray, holdPayments, insertStrays } from './stray-queries.ts';
import type { Tx } from '../ports/database.ts';

// Payments wait while a batch is written.
const BATCH = 50;

/**
 * Books USDC that came to the treasury and belongs to no payment. Anybody can send some: it is nobody's, and no mismatch.
 * The caller has seen that the transfers are final. Recording one again does nothing.
 */
export async function recordStrays(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'network' | 'log'>,
  transfers: ChainTransfer[],
): Promise<void> {
  for (let from = 0; from < transfers.length; from += BATCH) {
    const recorded = await withTransaction(deps.db, async (tx) => {
      await holdPayments(tx);
      const now = deps.clock.now();
      const strays = await insertStrays(tx, deps.network.id, transfers.slice(from, from + BATCH), now);
      await Promise.all(strays.map((stray) => bookStray(deps, tx, stray, now)));
      return strays;
    });
    for (const { txHash, from: sender, amountMicro } of recorded)
      deps.log.warn({ txHash, sender, amountMicro }, 'USDC came to the treasury that belongs to no payment');
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
 * The account that a payment's money came to, in the transaction that books it: the treasury; or `stray`, when its
 * transfer was taken for nobody's before the payment was presented. From then on it is the payment's.
 */
export async function arrivedIn(
  tx: Tx,
  payment: { id: string; network: string },
  { txHash, logIndex }: PaidTransfer,
): Promise<string> {
  const wasStray = await claimStray(tx, { network: payment.network, txHash, logIndex }, payment.id);
  return wasStray ? STRAY : TREASURY;
}

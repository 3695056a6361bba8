import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { recordAlert } from '../events/public.ts';
import { payableAccount, type JournalLine } from '../ledger/public.ts';
import type { Tx } from '../db/database.ts';
import type { PayoutHandler } from '../payments/types.ts';
import { isContradicted } from './contradiction.ts';
import { lockTransfer, markRefused } from './state-queries.ts';
import { isFrozen } from './held-back.ts';
import { lockPayout, markPaidOut, markSentAgain, noteDelay, type PayoutRow } from './queries.ts';

/** A payout whose money has left its project: to the chain, or to the account of its wallet. */
export type SettledPayout = PayoutRow & { recipient: string; settledAt: Date };

/**
 * The domain that a payout concerns passes this object at composition. `settled` runs in the transaction that books the
 * transfer of a payout or credits its amount to the account of its wallet; with `again` after the transfer vanished.
 */
export type SettledPayoutHandler = {
  settled(tx: Tx, payout: SettledPayout, how: { again: boolean }): Promise<void>;
  /** The token refuses the recipient, so the payout waits for an operator. Its amount has not left the project. */
  refused(tx: Tx, payout: PayoutRow, at: Date): Promise<void>;
};

/** The note of a payout whose recipient is on the blocklist of the token. */
const REFUSED = 'refused payee: USDC refuses transfers to this wallet; an operator can retry it, or reopen the award';

/** Creates the handler of outgoing transfers. It marks payouts as settled or refused, and tells the domain. */
export function payoutHandler(deps: Pick<Deps, 'newId'>, { settled, refused }: SettledPayoutHandler): PayoutHandler {
  return {
    async booked(tx, payment, how) {
      const payouts = await lockTransfer(tx, payment.subjectId);
      requireSent(payouts, payment);
      const ids = payouts.map(({ id }) => id);
      await markPaidOut(tx, ids, payment.txHash, payment.at);
      // A project has counted its credited amounts already.
      for (const payout of payouts.filter(({ creditedAt }) => creditedAt === null))
        await settled(
          tx,
          {
            ...payout,
            recipient: payment.payTo,
            state: 'settled',
            txHash: payment.txHash,
            settledAt: payment.at,
          },
          how,
        );
      return { debits: debitsOf(payouts) };
    },

    async vanished(tx, payoutId) {
      const ids = (await lockTransfer(tx, payoutId)).map(({ id }) => id);
      await markSentAgain(tx, ids);
    },

    async credited(tx, payoutId, at) {
      const payout = await lockPayout(tx, payoutId);
      if (!payout || payout.recipient === null) throw new Error(`payout ${payoutId} has no recipient`);
      await settled(tx, { ...payout, recipient: payout.recipient, settledAt: at }, { again: false });
    },

    async refused(tx, payoutId, at) {
      // A claim of it may be committing.
      await lockPayout(tx, payoutId);
      const payout = await markRefused(tx, payoutId, REFUSED);
      if (payout === null) return false;
      const subject = `payout:${payoutId}` as const;
      const details = { amount_micro: payout.amountMicro, recipient: payout.recipient };
      await recordAudit(deps, tx, { at, actor: 'service', action: 'payout.hold', subject, reason: REFUSED, details });
      await recordAlert(tx, at, { alert: 'payout_held', subject, message: REFUSED, details });
      await refused(tx, payout, at);
      return true;
    },

    delayed: noteDelay,
    isContradicted: async (db, payoutId) => (await isContradicted(db, payoutId)) || (await isFrozen(db, payoutId)),
  };
}

/**
 * Checks that the payment is the one that was claimed from these rows. Their amounts and recipients never change. Any
 * difference is a bug, so the booking must fail.
 */
function requireSent(
  payouts: PayoutRow[],
  { id, subjectId, amountMicro, payTo }: { id: string; subjectId: string; amountMicro: number; payTo: string },
): void {
  if (payouts.length === 0 || payouts.some(({ state }) => state !== 'sending'))
    throw new Error(`payout ${subjectId} is not being sent`);
  const owedMicro = payouts.reduce((sum, payout) => sum + payout.amountMicro, 0);
  if (owedMicro !== amountMicro || payouts.some(({ recipient }) => recipient !== payTo))
    throw new Error(`payout ${subjectId} and payment ${id} differ in amount or recipient`);
}

/** One line for each account that pays. */
function debitsOf(payouts: PayoutRow[]): JournalLine[] {
  const sums = new Map<string, number>();
  for (const { creditedAt, debitAccount, recipient, amountMicro } of payouts) {
    const account = creditedAt === null ? debitAccount : payableAccount(recipient ?? '');
    sums.set(account, (sums.get(account) ?? 0) + amountMicro);
  }
  return [...sums].map(([account, amountMicro]) => ({ account, amountMicro }));
}

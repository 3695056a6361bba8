import { usdcNumber } from '../../contract/basics/money.ts';
import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { payableAccount, postJournal } from '../ledger/public.ts';
import type { PaymentDeps } from '../payments/public.ts';
import { markHeld } from './cap-queries.ts';
import { CONTRADICTED, isContradicted } from './contradiction.ts';
import { CARRIED_AT_ONCE, creditedSums, lockWalletCredit, markCredited, type Waiting } from './state-queries.ts';
import { lockPayout, type PayoutRow } from './queries.ts';

export type CreditDeps = PaymentDeps & { config: Pick<Deps['config'], 'minTransferMicro'> };

export const NOTHING_WAITS: Waiting = { micro: 0, count: 0 };

/**
 * Tells whether a payout is too small for a transfer, with the amounts of its wallet that the transfer takes along. A prize
 * never is: its transfer buys the winning entry. A transfer that can take no more along is not either: the amounts would
 * otherwise wait forever.
 */
export function isSmall(
  { config }: Pick<CreditDeps, 'config'>,
  { kind, released, amountMicro }: Pick<PayoutRow, 'kind' | 'released' | 'amountMicro'>,
  { micro, count }: Waiting,
): boolean {
  if (kind === 'withdrawal' || kind === 'prize' || released || count >= CARRIED_AT_ONCE) return false;
  return amountMicro + micro < config.minTransferMicro;
}

/**
 * Credits a share or refund that is too small for a transfer to the account `payable` of its wallet. It goes out with the next
 * transfer to the wallet, or once the wallet's amounts add up to a transfer. Its project does not wait for it.
 *
 * Leaves the payout due if the wallet's amounts add up to a transfer by now: the next round sends them. Returns whether the
 * amount is credited.
 */
export async function credit(deps: CreditDeps, id: string): Promise<boolean> {
  return await withTransaction(deps.db, async (tx) => {
    const payout = await lockPayout(tx, id);
    if (payout?.state !== 'ready' || payout.recipient === null) return false;
    const { recipient, amountMicro, debitAccount } = payout;
    // A credited amount would go out with any other transfer to its wallet.
    if (await isContradicted(tx, id)) {
      await markHeld(tx, id, { note: CONTRADICTED, until: null });
      return false;
    }
    await lockWalletCredit(tx, recipient);
    const waiting = (await creditedSums(tx, [recipient])).get(recipient) ?? NOTHING_WAITS;
    if (!isSmall(deps, payout, waiting)) return false;
    const at = deps.clock.now();
    // The project counts the amount as paid: the ledger owes it to the wallet from now on.
    await deps.payments.payoutHandlers.payout.credited(tx, id, at);
    const note = `adds up with other amounts of this wallet to ${usdcNumber(deps.config.minTransferMicro)} USDC`;
    await markCredited(tx, id, note, at);
    const payable = payableAccount(recipient);
    if (debitAccount !== payable)
      await postJournal(tx, {
        id: deps.newId(),
        kind: 'credit',
        paymentId: null,
        at,
        lines: [
          { account: debitAccount, amountMicro },
          { account: payable, amountMicro: -amountMicro },
        ],
      });
    await recordAudit(deps, tx, {
      at,
      actor: 'service',
      action: 'payout.credit',
      subject: `payout:${id}`,
      details: { amount_micro: amountMicro, recipient },
    });
    return true;
  });
}

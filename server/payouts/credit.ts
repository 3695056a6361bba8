import { usdcNumber } from '../../contract/basics/money.ts';
import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { payableAccount, postJournal } from '../ledger/public.ts';
import type { PaymentDeps } from '../payments/public.ts';
import { findCredited, lockWalletCredit, markCredited } from './credit-queries.ts';
import { lockPayout } from './queries.ts';

export type CreditDeps = PaymentDeps & { config: Pick<Deps['config'], 'minTransferMicro'> };

/**
 * Credits a share or refund that is too small for a transfer to the account `payable` of its wallet. It goes out with the next
 * transfer to the wallet, or once the wallet's amounts add up to a transfer. Its project does not wait for it.
 *
 * Leaves the payout due if the wallet's amounts add up to a transfer by now. The next run sends them.
 */
export async function credit(deps: CreditDeps, id: string): Promise<void> {
  const { minTransferMicro } = deps.config;
  await withTransaction(deps.db, async (tx) => {
    const payout = await lockPayout(tx, id);
    if (payout?.state !== 'ready' || payout.recipient === null) return;
    const { recipient, amountMicro, debitAccount } = payout;
    await lockWalletCredit(tx, recipient);
    const waitingMicro = (await findCredited(tx, recipient)).reduce((sum, one) => sum + one.amountMicro, 0);
    if (waitingMicro + amountMicro >= minTransferMicro) return;
    const at = deps.clock.now();
    // The project counts the amount as paid: the ledger owes it to the wallet from now on.
    await deps.payments.payoutHandlers.payout.credited(tx, id, at);
    const note = `adds up with other amounts of this wallet to ${usdcNumber(minTransferMicro)} USDC`;
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
  });
}

import { recordAudit } from '../../audit/public.ts';
import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { whyStopped } from '../../ledger/public.ts';
import { settledPaymentsOf } from '../../payments/public.ts';
import { giveRecipient, listUnclaimed, type Unclaimed } from './unclaimed-queries.ts';

const AT_ONCE = 500;
const DAY_MS = 86_400_000;

export type UnclaimedDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'log' | 'comparison'> & {
  config: Pick<Deps['config'], 'unclaimedPrizeDays'>;
};

/**
 * Sends awards that have waited UNCLAIMED_PRIZE_DAYS for a wallet to the wallet that paid their entry's fee: nobody has a
 * better claim. Without that, one wallet that pays for two agents would keep a project open for good, and its poster
 * without the original. An award goes on waiting after an entry without a fee, and if only its agent can choose the wallet.
 */
export async function payUnclaimed(deps: UnclaimedDeps, stopping: AbortSignal): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - deps.config.unclaimedPrizeDays * DAY_MS);
  let after: string | null = null;
  while (!stopping.aborted) {
    const found: Unclaimed[] = await listUnclaimed(deps.db, { before, after, limit: AT_ONCE });
    const fees = await settledPaymentsOf(
      deps.db,
      'entry_fee',
      found.map(({ submissionId }) => submissionId),
    );
    const payers = new Map(fees.map(({ subjectId, payer }) => [subjectId, payer]));
    for (const { id, submissionId } of found) {
      const recipient = payers.get(submissionId);
      if (recipient !== undefined) await payTo(deps, { id, submissionId, recipient });
    }
    after = found.at(-1)?.id ?? null;
    if (found.length < AT_ONCE) return;
  }
}

async function payTo(deps: UnclaimedDeps, payout: Unclaimed & { recipient: string }): Promise<void> {
  const now = deps.clock.now();
  const { id, recipient } = payout;
  const given = await withTransaction(deps.db, async (tx) => {
    // A recovery may find that this payout is paid, to a wallet that the database has lost.
    if ((await whyStopped(deps, tx)) !== null || !(await giveRecipient(tx, { ...payout, now }))) return false;
    await recordAudit(deps, tx, {
      at: now,
      actor: 'service',
      action: 'payout.pay_unclaimed',
      subject: `payout:${id}`,
      details: { recipient },
    });
    return true;
  });
  if (given) deps.log.info({ payoutId: id }, 'a payout goes to the wallet that paid the entry fee');
}

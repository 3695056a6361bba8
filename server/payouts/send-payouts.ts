import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { claimOutgoing, type PaymentDeps, settlePayout } from '../payments/public.ts';
import { payoutsStopped } from '../ledger/public.ts';
import * as queries from './queries.ts';
import type { PayoutRow } from './queries.ts';
import { payoutNonce } from './references.ts';
import type { Tx } from '../ports/database.ts';

// Send the payouts of a batch in parallel, because a transfer mostly waits for the chain.
const BATCH = 16;
// A run ends before the job loop reports it as hanging. The next run continues the backlog.
const RUN_MS = 5 * 60_000;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** The part of Deps that sending needs. */
export type PayoutDeps = PaymentDeps & Pick<Deps, 'network'> & { config: Pick<Deps['config'], 'payoutCaps'> };

/**
 * Sends all payouts that are due. Any number of processes can run it.
 *
 * Each payout is claimed as a payment before any money moves. From then on payments/ settles it, also after a crash.
 * While the ledger has a mismatch, nothing is sent.
 */
export async function sendPayouts(deps: PayoutDeps, stopping: AbortSignal): Promise<void> {
  for (const released of await queries.releaseWaiting(deps.db, deps.clock.now()))
    deps.log.info({ payoutId: released.id }, 'a payout got the wallet that its agent linked');
  const until = deps.clock.now().getTime() + RUN_MS;
  while (!stopping.aborted && deps.clock.now().getTime() < until) {
    // Read it before each batch, because a check can find a mismatch while thousands of payouts are being sent.
    if ((await payoutsStopped(deps.db)) !== null) return;
    const due = await queries.findDue(deps.db, deps.clock.now(), BATCH);
    await Promise.all(due.map((payout) => sendOne(deps, payout)));
    if (due.length < BATCH) return;
  }
}

async function sendOne(deps: PayoutDeps, payout: PayoutRow): Promise<void> {
  try {
    const claimed = await claim(deps, payout);
    if (claimed !== null) await settlePayout(deps, claimed);
  } catch (error) {
    deps.log.error({ payoutId: payout.id, err: error }, 'a payout could not be sent');
    const now = deps.clock.now();
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(payout.attempts, 10), LONGEST_BACKOFF_MS);
    const dueAt = new Date(now.getTime() + backoffMs);
    // If this fails too, the payout stays due.
    await queries
      .postpone(deps.db, payout.id, { note: 'sending failed; the service retries', dueAt, now })
      .catch(() => {});
  }
}

/** Commits the signed payment and returns it. Returns null if another sender has taken the payout, or if it is held. */
async function claim(deps: PayoutDeps, { id, reference, kind, recipient, amountMicro }: PayoutRow) {
  if (recipient === null) throw new RangeError(`payout ${id} has no recipient`);
  const prepared = await claimOutgoing(deps, {
    kind: kind === 'refund' ? 'refund' : 'payout',
    subjectId: id,
    recipient,
    amountMicro,
    nonce: payoutNonce(reference),
  });
  return await withTransaction(deps.db, async (tx) => {
    const payout = await queries.lockPayout(tx, id);
    if (payout?.state !== 'ready') return null;
    const now = deps.clock.now();
    const reason = await overCap(deps, tx, payout, now);
    if (reason !== null) {
      await hold(deps, tx, payout, reason, now);
      return null;
    }
    const claimed = await prepared.insert(tx);
    if (claimed === null) {
      await hold(deps, tx, payout, 'a payment with this nonce already exists; an operator must check it', now);
      return null;
    }
    await queries.markSending(tx, id, now);
    return claimed;
  });
}

/**
 * Returns why a payout must wait for the operator, or null.
 *
 * Refunds have a daily cap of their own. Publishing and cancelling costs a poster nothing, so refunds could otherwise
 * use up the cap and delay all prizes.
 */
async function overCap({ config }: PayoutDeps, tx: Tx, payout: PayoutRow, now: Date): Promise<string | null> {
  if (payout.released) return null;
  const { perTransferMicro, perDayMicro } = config.payoutCaps;
  if (payout.amountMicro > perTransferMicro) return 'over the cap of one transfer';
  await queries.lockDailyCap(tx);
  const startOfDay = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const sentMicro = await queries.sentSince(tx, startOfDay, payout.kind === 'refund');
  return sentMicro + payout.amountMicro > perDayMicro ? 'over the daily cap' : null;
}

async function hold(deps: PayoutDeps, tx: Tx, payout: PayoutRow, reason: string, now: Date): Promise<void> {
  await queries.markHeld(tx, payout.id, reason, now);
  await recordAudit(deps, tx, {
    at: now,
    actor: 'service',
    action: 'payout.hold',
    subject: `payout:${payout.id}`,
    reason,
    details: { amount_micro: payout.amountMicro },
  });
  deps.log.warn({ payoutId: payout.id, alert: 'payout_held', reason }, 'a payout is held for the operator');
}

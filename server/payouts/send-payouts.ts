import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { claimOutgoing, type PaymentDeps, settlePayout } from '../payments/public.ts';
import { payoutsStopped } from '../ledger/public.ts';
import * as queries from './queries.ts';
import type { PayoutRow } from './queries.ts';
import { payoutNonce } from './references.ts';
import type { Tx } from '../ports/database.ts';

// All of a batch at once: most of a transfer is waiting for the chain.
const BATCH = 16;
// A run of a long backlog ends well before it is taken for one that hangs, and the next one goes on.
const RUN_MS = 5 * 60_000;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** What sending needs of the world: any `Deps` has it. */
export type PayoutDeps = PaymentDeps & Pick<Deps, 'network'> & { config: Pick<Deps['config'], 'payoutCaps'> };

/**
 * Sends what is owed, in as many processes as there are: each payout is claimed as a payment before anything can move,
 * and from then on driven by the payments machine, after a crash too. While the books do not hold nothing is sent.
 */
export async function sendPayouts(deps: PayoutDeps, stopping: AbortSignal): Promise<void> {
  for (const released of await queries.releaseWaiting(deps.db, deps.clock.now()))
    deps.log.info({ payoutId: released.id }, 'a payout goes to the wallet that its agent has linked');
  const until = deps.clock.now().getTime() + RUN_MS;
  while (!stopping.aborted && deps.clock.now().getTime() < until) {
    // Asked before each batch: a check may find a mismatch while thousands are being sent.
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
    // It stays due when this fails too.
    await queries
      .postpone(deps.db, payout.id, { note: 'it could not be sent; it is tried again', dueAt, now })
      .catch(() => {});
  }
}

/** The signed payment, committed; null when the payout is somebody else's by now, or held. */
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
    const why = await overCap(deps, tx, payout, now);
    if (why !== null) {
      await hold(deps, tx, payout, why, now);
      return null;
    }
    const claimed = await prepared.insert(tx);
    if (claimed === null) {
      await hold(deps, tx, payout, 'a payment with its nonce exists already: an operator has to look', now);
      return null;
    }
    await queries.markSending(tx, id, now);
    return claimed;
  });
}

/**
 * Why a transfer has to wait for the operator, or null. Refunds have a day's cap of their own: publishing and cancelling
 * costs nothing, and whoever did it again and again would have everybody's prizes held.
 */
async function overCap({ config }: PayoutDeps, tx: Tx, payout: PayoutRow, now: Date): Promise<string | null> {
  if (payout.released) return null;
  const { perTransferMicro, perDayMicro } = config.payoutCaps;
  if (payout.amountMicro > perTransferMicro) return 'over the cap of one transfer';
  await queries.lockDailyCap(tx);
  const startOfDay = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const sentMicro = await queries.sentSince(tx, startOfDay, payout.kind === 'refund');
  return sentMicro + payout.amountMicro > perDayMicro ? "over the day's cap" : null;
}

async function hold(deps: PayoutDeps, tx: Tx, payout: PayoutRow, why: string, now: Date): Promise<void> {
  await queries.markHeld(tx, payout.id, why, now);
  await recordAudit(deps, tx, {
    at: now,
    actor: 'service',
    action: 'payout.hold',
    subject: `payout:${payout.id}`,
    reason: why,
    details: { amount_micro: payout.amountMicro },
  });
  deps.log.warn({ payoutId: payout.id, alert: 'payout_held', reason: why }, 'a payout is held for the operator');
}

import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { alertOperator, recordAlert } from '../events/public.ts';
import { claimOutgoing, settlePayout } from '../payments/public.ts';
import { payoutsStopped, whyStopped } from '../ledger/public.ts';
import { markHeld, resumeHeld } from './cap-queries.ts';
import { type Hold, overCap, usesRoom } from './caps.ts';
import { carryAlong, findCredited, lockCredited } from './credit-queries.ts';
import { CONTRADICTED, isContradicted } from './contradiction.ts';
import { credit, type CreditDeps } from './credit.ts';
import * as queries from './queries.ts';
import type { PayoutRow } from './queries.ts';
import { payoutNonce } from './references.ts';
import type { Tx } from '../ports/database.ts';
import { SignerUnavailable } from '../ports/treasury.ts';

// Payouts that are claimed between two looks at the ledger's check.
const CLAIM_TOGETHER = 16;
// Claims that run side by side. Each takes a connection of the database.
const CLAIMS_SIDE_BY_SIDE = 4;
// Transfers mostly wait for the chain, and the in-process facilitator puts those that wait together into one transaction.
const MOST_IN_FLIGHT = 32;
// A run ends before the job loop reports it as hanging. The next run continues the backlog.
const RUN_MS = 5 * 60_000;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 10 * 60_000;

/** The part of Deps that sending needs. */
export type PayoutDeps = CreditDeps & Pick<Deps, 'network'> & { config: Pick<Deps['config'], 'payoutCaps'> };

/**
 * Sends all payouts that are due. Any number of processes can run it.
 *
 * Each payout is claimed as a payment before any money moves. From then on payments/ settles it, also after a crash.
 * While the ledger has a mismatch, nothing is sent.
 */
export async function sendPayouts(deps: PayoutDeps, stopping: AbortSignal): Promise<void> {
  for (const released of await queries.releaseWaiting(deps.db, deps.clock.now()))
    deps.log.info({ payoutId: released.id }, 'a payout got the wallet that its agent linked');
  const resumed = await resumeHeld(deps.db, deps.clock.now());
  if (resumed > 0) deps.log.info({ payouts: resumed }, 'payouts that a daily cap held are due again');
  const until = deps.clock.now().getTime() + RUN_MS;
  const most = deps.facilitator.capacity ?? MOST_IN_FLIGHT;
  const settling = new Set<Promise<unknown>>();
  try {
    while (!stopping.aborted && deps.clock.now().getTime() < until) {
      // Read it again and again, because a check can find a mismatch while thousands of payouts are being sent.
      if ((await whyStopped(deps, deps.db)) !== null || (await payoutsStopped(deps.db)) !== null) return;
      const due = await queries.findDue(deps.db, deps.clock.now(), CLAIM_TOGETHER);
      if (due.length === 0 || !(await canSign(deps))) return;
      await startAll(deps, due, settling);
      if (due.length < CLAIM_TOGETHER) return;
      while (settling.size > most) await Promise.race(settling);
    }
  } finally {
    await Promise.all(settling);
  }
}

/** Asks the signer, if another process holds the treasury's key. Nothing is claimed while it does not answer. */
async function canSign(deps: PayoutDeps): Promise<boolean> {
  try {
    await deps.treasury.check?.();
    return true;
  } catch (error) {
    if (!(error instanceof SignerUnavailable)) throw error;
    deps.log.warn({ alert: 'signer_down', err: error }, 'payouts wait for the signer');
    await alertOperator(deps, {
      type: 'ALERT.SIGNER_DOWN',
      data: { subject: 'signer', message: 'Payouts wait: the signer does not answer.', details: {} },
    });
    return false;
  }
}

/** Claims payouts that use room in a cap one after the other, so that the first in line gets the room that is left. */
async function startAll(deps: PayoutDeps, due: PayoutRow[], settling: Set<Promise<unknown>>): Promise<void> {
  const start = async (payout: PayoutRow) => {
    const claimed = await orLater(deps, payout, () => claim(deps, payout));
    if (claimed === null) return;
    const sent: Promise<unknown> = orLater(deps, payout, () => settlePayout(deps, claimed)).then(() =>
      settling.delete(sent),
    );
    settling.add(sent);
  };
  const now = deps.clock.now();
  const waiting: PayoutRow[] = [];
  for (const payout of due) {
    if (usesRoom(payout, now)) await start(payout);
    else waiting.push(payout);
  }
  const claimNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await start(next);
  };
  await Promise.all(Array.from({ length: CLAIMS_SIDE_BY_SIDE }, claimNext));
}

/** Postpones the payout if the work fails, and returns null then. */
async function orLater<T>(deps: PayoutDeps, payout: PayoutRow, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    deps.log.error({ payoutId: payout.id, err: error }, 'a payout could not be sent');
    const now = deps.clock.now();
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(payout.attempts, 10), LONGEST_BACKOFF_MS);
    const dueAt = new Date(now.getTime() + backoffMs);
    // If this fails too, the payout stays due.
    await queries
      .postpone(deps.db, payout.id, { note: 'sending failed; the service retries', dueAt, now })
      .catch(() => {});
    return null;
  }
}

/**
 * Commits the claim of a payment and returns it. The transfer carries along the small amounts of its recipient.
 *
 * Returns null if the payout is held, too small for a transfer, or changed by another sender.
 */
async function claim(deps: PayoutDeps, { id, reference, kind, recipient, ...payout }: PayoutRow) {
  if (recipient === null) throw new RangeError(`payout ${id} has no recipient`);
  if (!payout.released && (await isContradicted(deps.db, id))) {
    await withTransaction(deps.db, async (tx) => {
      const locked = await queries.lockPayout(tx, id);
      if (locked?.state === 'ready')
        await hold(deps, tx, locked, { note: CONTRADICTED, until: null }, deps.clock.now());
    });
    return null;
  }
  const carried = kind === 'withdrawal' ? [] : await findCredited(deps.db, recipient);
  const amountMicro = carried.reduce((sum, one) => sum + one.amountMicro, payout.amountMicro);
  const isSmall = amountMicro < deps.config.minTransferMicro && kind !== 'withdrawal' && !payout.released;
  if (isSmall) {
    await credit(deps, id);
    return null;
  }
  const prepared = await claimOutgoing(deps, {
    kind: kind === 'refund' || kind === 'return' ? 'refund' : 'payout',
    subjectId: id,
    recipient,
    amountMicro,
    nonce: payoutNonce(reference),
  });
  return await withTransaction(deps.db, async (tx) => {
    // The payout stays due: this database may be older than the chain.
    const [stop, locked] = await Promise.all([whyStopped(deps, tx), queries.lockPayout(tx, id)]);
    if (stop !== null || locked?.state !== 'ready') return null;
    const now = deps.clock.now();
    const over = await overCap(deps, tx, locked, now);
    if (over !== null) {
      await hold(deps, tx, locked, over, now);
      return null;
    }
    // Another transfer to the wallet took an amount. The payout stays due and is claimed with another sum.
    const carriedIds = carried.map((one) => one.id);
    if (!(await lockCredited(tx, carriedIds))) return null;
    const claimed = await prepared.insert(tx);
    if (claimed === null) {
      const note = 'a payment with this nonce already exists; an operator must check it';
      await hold(deps, tx, locked, { note, until: null }, now);
      return null;
    }
    await queries.markSending(tx, id, now);
    await carryAlong(tx, id, carriedIds, now);
    return claimed;
  });
}

async function hold(deps: PayoutDeps, tx: Tx, payout: PayoutRow, { note, until }: Hold, now: Date): Promise<void> {
  await markHeld(tx, payout.id, { note, until, now });
  await recordAudit(deps, tx, {
    at: now,
    actor: 'service',
    action: 'payout.hold',
    subject: `payout:${payout.id}`,
    reason: note,
    details: { amount_micro: payout.amountMicro, until },
  });
  await recordAlert(tx, now, {
    type: 'ALERT.PAYOUT_HELD',
    data: {
      subject: `payout:${payout.id}`,
      message: note,
      details: { amount_micro: payout.amountMicro, until: until?.toISOString() ?? null },
    },
  });
  deps.log.warn({ payoutId: payout.id, alert: 'payout_held', reason: note, until }, 'a payout is held');
}

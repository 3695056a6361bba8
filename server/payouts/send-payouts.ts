import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { recordAlert } from '../events/public.ts';
import { alertSignerDown, claimOutgoing, type PaymentRow, settlePayout, type PaymentDeps } from '../payments/public.ts';
import { payoutsStopped, whyStopped } from '../ledger/public.ts';
import { markHeld, resumeHeld } from './cap-queries.ts';
import { type Hold, lockRoom } from './caps.ts';
import { CONTRADICTED, contradictedOf } from './contradiction.ts';
import { type Carried, carryAlong, creditedSums, lockCreditedOf } from './state-queries.ts';
import { credit, type CreditDeps, isSmall, NOTHING_WAITS } from './credit.ts';
import {
  findDue,
  lockReady,
  markSending,
  type PayoutRow,
  postponePayout,
  releaseWaiting,
  takeBackDue,
} from './queries.ts';
import { leaveOutHeldBack } from './held-back.ts';
import { payoutNonce } from './references.ts';
import { ChainUnavailable } from '../chain/types.ts';
import type { Tx } from '../db/database.ts';
import { SignerUnavailable } from '../x402/types.ts';

// Payouts that are claimed in one transaction, between two looks at the ledger's check. The caps are locked meanwhile.
const CLAIM_TOGETHER = 16;
// Transfers mostly wait for the chain, and the in-process facilitator puts those that wait together into one transaction.
const MOST_IN_FLIGHT = 32;
// A run ends before the job loop reports it as hanging. The next run continues the backlog.
const RUN_MS = 5 * 60_000;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 10 * 60_000;

/** The part of Deps that sending needs. */
export type PayoutDeps = CreditDeps &
  Pick<Deps, 'network'> & { config: Pick<Deps['config'], 'confirmations' | 'payoutCaps'> };

/**
 * Sends all payouts that are due. Any number of processes can run it.
 *
 * Payouts are claimed as payments before any money moves, up to 16 in one transaction. From then on payments/ settles
 * it, also after a crash. While the ledger has a mismatch, nothing is sent.
 */
export async function sendPayouts(deps: PayoutDeps, stopping: AbortSignal): Promise<void> {
  for (const released of await releaseWaiting(deps.db, deps.clock.now()))
    deps.log.info({ payoutId: released.id }, 'a payout got the wallet that its agent linked');
  const resumed = await resumeHeld(deps.db, deps.clock.now());
  if (resumed > 0) deps.log.info({ payouts: resumed }, 'payouts that a daily cap held are due again');
  const began = deps.clock.now();
  // Clocks of different processes differ by less than the second half.
  await takeBackDue(deps.db, { now: began, latest: new Date(began.getTime() + 2 * LONGEST_BACKOFF_MS) });
  const until = began.getTime() + RUN_MS;
  const most = deps.facilitator.capacity ?? MOST_IN_FLIGHT;
  const settling = new Set<Promise<unknown>>();
  let tried = new Set<string>();
  try {
    while (!stopping.aborted && deps.clock.now().getTime() < until) {
      // Read it again and again, because a check can find a mismatch while thousands of payouts are being sent.
      if ((await whyStopped(deps, deps.db)) !== null || (await payoutsStopped(deps.db)) !== null) return;
      const due = await findDue(deps.db, deps.clock.now(), CLAIM_TOGETHER);
      // The last round changed none of them. The next run tries again.
      if (due.length === tried.size && due.every(({ id }) => tried.has(id))) return;
      if (due.length === 0 || !(await canSign(deps))) return;
      tried = new Set(due.map(({ id }) => id));
      await startAll(deps, due, settling);
      if (due.length < CLAIM_TOGETHER) return;
      while (settling.size > most) await Promise.race(settling);
    }
  } finally {
    await Promise.all(settling);
  }
}

/** Asks the remote signer, if there is one. Nothing is claimed while it cannot sign. */
async function canSign(deps: PayoutDeps): Promise<boolean> {
  try {
    await deps.treasury.check?.();
    return true;
  } catch (error) {
    if (!(error instanceof SignerUnavailable)) throw error;
    await alertSignerDown(deps, error);
    return false;
  }
}

/**
 * Claims payouts in one transaction, in their order, and starts to settle them. If that fails, each is claimed alone, so
 * that none fails because of another one.
 */
async function startAll(deps: PayoutDeps, due: PayoutRow[], settling: Set<Promise<unknown>>): Promise<void> {
  try {
    for (const { payout, payment } of await claim(deps, due)) {
      const sent: Promise<unknown> = settlePayout(deps, payment)
        .catch((error: unknown) => postpone(deps, payout, error))
        .then(() => settling.delete(sent));
      settling.add(sent);
    }
  } catch (error) {
    if (due.length === 1 || error instanceof ChainUnavailable) {
      for (const payout of due) await postpone(deps, payout, error);
      return;
    }
    deps.log.warn({ payouts: due.length, err: error }, 'payouts are claimed one by one, because they failed together');
    for (const payout of due) await startAll(deps, [payout], settling);
  }
}

async function postpone(deps: PayoutDeps, payout: PayoutRow, error: unknown): Promise<void> {
  deps.log.error({ payoutId: payout.id, err: error }, 'a payout could not be sent');
  const now = deps.clock.now();
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(payout.attempts, 10), LONGEST_BACKOFF_MS);
  const dueAt = new Date(now.getTime() + backoffMs);
  // If this fails too, the payout stays due.
  const note = 'sending failed; the service retries';
  await postponePayout(deps.db, payout.id, { note, dueAt }).catch(() => {});
}

/** A payout with the small amounts of its recipient that its transfer takes along. */
type Transfer = { payout: PayoutRow; recipient: string; carried: Carried[]; amountMicro: number };

/** A payout that has its payment. */
type Claimed = { payout: PayoutRow; payment: PaymentRow };

/**
 * Commits the claims of payments and returns them. Leaves out payouts that are held, held back, or refused, too small for a
 * transfer, or changed by another sender.
 *
 * @throws PaymentExists if one of several payouts has a payment already
 */
async function claim(deps: PayoutDeps, due: PayoutRow[]): Promise<Claimed[]> {
  const ids = await creditSmall(deps, await leaveOutRefused(deps, await leaveOutHeldBack(deps, due)));
  if (ids.length === 0) return [];
  const fromBlock = await deps.chain.searchStart();
  return await withTransaction(deps.db, async (tx) => {
    // The payouts stay due: this database may be older than the chain.
    if ((await whyStopped(deps, tx)) !== null) return [];
    // One time for all: the day whose room they use is the day in which they count as sent.
    const now = deps.clock.now();
    const transfers = await pickTransfers(deps, tx, ids, now);
    // They share a round trip.
    const payments = await Promise.all(
      transfers.map(({ payout: { id, kind, reference }, recipient, amountMicro }) =>
        claimOutgoing(
          deps,
          tx,
          {
            kind: kind === 'refund' || kind === 'return' ? 'refund' : 'payout',
            subjectId: id,
            recipient,
            amountMicro,
            nonce: payoutNonce(reference),
          },
          fromBlock,
        ),
      ),
    );
    const claimed = transfers.flatMap(({ payout }, index) => {
      const payment = payments[index];
      return payment ? [{ payout, payment }] : [];
    });
    if (claimed.length < transfers.length) {
      const [only] = transfers;
      if (!only || transfers.length > 1) throw new PaymentExists();
      const note = 'a payment with this nonce already exists; an operator must check it';
      await hold(deps, tx, only.payout, { note, until: null }, now);
      return [];
    }
    await markClaimed(tx, transfers, now);
    return claimed;
  });
}

/** One of the payouts must be held, which would leave its room to the others. So each is claimed alone. */
class PaymentExists extends Error {}

/** Credits what is too small for a transfer. Returns the ids of the others. */
async function creditSmall(deps: PayoutDeps, due: PayoutRow[]): Promise<string[]> {
  const recipients = due.map(({ id, recipient }) => {
    if (recipient === null) throw new RangeError(`payout ${id} has no recipient`);
    return recipient;
  });
  const waiting = await creditedSums(deps.db, recipients);
  const ids: string[] = [];
  for (const [index, payout] of due.entries()) {
    const recipient = recipients[index] ?? '';
    const { micro, count } = waiting.get(recipient) ?? NOTHING_WAITS;
    if (isSmall(deps, payout, { micro, count })) {
      const isCredited = await credit(deps, payout.id);
      if (isCredited) waiting.set(recipient, { micro: micro + payout.amountMicro, count: count + 1 });
      continue;
    }
    // Its transfer takes along what waits.
    if (payout.kind !== 'withdrawal') waiting.set(recipient, NOTHING_WAITS);
    ids.push(payout.id);
  }
  return ids;
}

/** Locks payouts, and picks those that can be sent, in the order of the ids. Holds those above a cap. */
async function pickTransfers(deps: PayoutDeps, tx: Tx, ids: string[], now: Date): Promise<Transfer[]> {
  const ready = await lockReady(tx, ids);
  const payouts = ids.flatMap((id) => ready.get(id) ?? []);
  const credited = await lockCreditedOf(tx, [...new Set(payouts.flatMap(({ recipient }) => recipient ?? []))]);
  const contradicted = await contradictedOf(tx, ids);
  const room = await lockRoom(deps, tx, payouts, now);
  const taken = new Set<Carried>();
  const transfers: Transfer[] = [];
  for (const payout of payouts) {
    const { recipient } = payout;
    if (recipient === null) continue;
    const over = contradicted.has(payout.id) ? { note: CONTRADICTED, until: null } : room.whyNot(payout);
    if (over !== null) {
      await hold(deps, tx, payout, over, now);
      continue;
    }
    const isCarried = (one: Carried) => payout.kind !== 'withdrawal' && one.recipient === recipient && !taken.has(one);
    const carried = credited.filter(isCarried);
    const micro = carried.reduce((sum, one) => sum + one.amountMicro, 0);
    if (isSmall(deps, payout, { micro, count: carried.length })) {
      // Another transfer takes the amounts that would have made it large enough. Once it has them, this payout is credited.
      const note = 'another transfer takes the small amounts of this wallet; the service retries';
      await postponePayout(tx, payout.id, { note, dueAt: new Date(now.getTime() + FIRST_BACKOFF_MS) });
      continue;
    }
    for (const one of carried) taken.add(one);
    room.take([payout, ...carried]);
    transfers.push({ payout, recipient, carried, amountMicro: payout.amountMicro + micro });
  }
  return transfers;
}

async function markClaimed(tx: Tx, transfers: Transfer[], now: Date): Promise<void> {
  if (transfers.length === 0) return;
  const ids = transfers.map(({ payout }) => payout.id);
  await markSending(tx, ids, now);
  for (const { payout, carried } of transfers) {
    const carriedIds = carried.map(({ id }) => id);
    await carryAlong(tx, payout.id, carriedIds, now);
  }
}

async function hold(deps: PayoutDeps, tx: Tx, payout: PayoutRow, { note, until }: Hold, now: Date): Promise<void> {
  await markHeld(tx, payout.id, { note, until });
  await recordAudit(deps, tx, {
    at: now,
    actor: 'service',
    action: 'payout.hold',
    subject: `payout:${payout.id}`,
    reason: note,
    details: { amount_micro: payout.amountMicro, until },
  });
  await recordAlert(tx, now, {
    alert: 'payout_held',
    subject: `payout:${payout.id}`,
    message: note,
    details: { amount_micro: payout.amountMicro, until: until?.toISOString() ?? null },
  });
  deps.log.warn({ payoutId: payout.id, alert: 'payout_held', reason: note, until }, 'a payout is held');
}

/**
 * Returns the payouts whose recipients the token accepts, and marks the others as refused, with an alert. Nothing is signed for
 * them, so they make no batch fail and no other payee wait.
 *
 * @throws ChainUnavailable
 */
async function leaveOutRefused(deps: PaymentDeps, due: PayoutRow[]): Promise<PayoutRow[]> {
  const { chain, clock, db, log } = deps;
  const recipients = [...new Set(due.flatMap(({ recipient }) => recipient ?? []))];
  if (recipients.length === 0) return due;
  const refused = await chain.refusedOf?.(recipients);
  if (!refused || refused.size === 0) return due;
  const isRefused = ({ recipient }: PayoutRow) => recipient !== null && refused.has(recipient);
  for (const { id } of due.filter(isRefused)) {
    const marked = await withTransaction(db, (tx) => deps.payments.payoutHandlers.payout.refused(tx, id, clock.now()));
    if (marked) log.warn({ payoutId: id, alert: 'payout_held' }, 'USDC refuses the recipient of a payout');
  }
  return due.filter((payout) => !isRefused(payout));
}

import assert from 'node:assert/strict';
import { INITIAL_BALANCE_TX_HASH } from '../../server/reconciliation/public.ts';
import { payoutNonce } from '../../server/payouts/references.ts';
import { type Moved, place } from './chain-model.ts';
import type { PaymentNow, PayoutNow, ProjectNow, Snapshot } from './snapshot.ts';
import { type ModelWorld, TREASURY } from './model-world.ts';
import { goesBack, receivesOf } from './rules.ts';

const nonces = new Map<string, string>();

/** Returns the nonce of a reference from a cache. Hashing 32 bytes in JavaScript costs more than the rest of a step. */
function nonceOf(reference: string): string {
  const known = nonces.get(reference) ?? payoutNonce(reference);
  nonces.set(reference, known);
  return known;
}

/** A payment whose transfer was taken back, and which has not settled again. */
export const isVanished = ({ state, vanished_from }: PaymentNow) => vanished_from !== null && state !== 'settled';
const isOutgoing = ({ kind }: PaymentNow) => kind === 'payout' || kind === 'refund';

/** Asserts everything that holds at any moment, also while work is in flight. */
export function checkInvariants(world: Pick<ModelWorld, 'model'>, now: Snapshot): void {
  checkAccounts(now);
  const { model } = world;
  const booked = checkBookings(model, now);
  checkMoneyIn(model, now, booked);
  checkMoneyOut(model, now);
  checkSubjects(now);
  for (const project of now.projects) checkProject(project, now);
}

function checkAccounts({ accounts, openJournals }: Snapshot): void {
  assert.equal(openJournals, 0, 'a journal does not sum to zero');
  let total = 0;
  for (const { id, side, balance_micro } of accounts) {
    assert.ok(balance_micro >= 0, `${id} is below zero`);
    total += side === 'debit' ? balance_micro : -balance_micro;
  }
  assert.equal(total, 0, 'the accounts do not sum to the treasury');
}

export const balanceOf = ({ accounts }: Snapshot, account: string) =>
  accounts.find(({ id }) => id === account)?.balance_micro ?? 0;

/**
 * Asserts that each booked payment and each stray is one transfer on chain, and that their sum matches the books. The service
 * notices with its next check that a transfer was taken back.
 */
function checkBookings({ moved, undone }: ModelWorld['model'], now: Snapshot): Set<string> {
  const transfers = Map.groupBy([...moved, ...undone], ({ txHash, logIndex }) => place(txHash, logIndex));
  const booked = new Set<string>();
  let treasury = 0;
  const claim = (at: string, own: (transfer: Moved) => boolean = () => true) => {
    const transfer = transfers.get(at)?.find(own);
    assert.ok(transfer, `${at} is booked, and no such transfer is on chain`);
    assert.ok(!booked.has(at), `${at} is booked twice`);
    booked.add(at);
    treasury +=
      (transfer.to === TREASURY ? transfer.amountMicro : 0) - (transfer.from === TREASURY ? transfer.amountMicro : 0);
    return transfer;
  };
  for (const payment of now.payments.filter(({ state }) => state === 'settled')) {
    const { payer, pay_to: payTo, amount_micro: amountMicro, auth_nonce: nonce } = payment;
    claim(
      place(payment.tx_hash, payment.log_index),
      (it) => it.from === payer && it.to === payTo && it.amountMicro === amountMicro && it.nonce === nonce,
    );
  }
  for (const stray of now.strays.filter(({ payment_id }) => payment_id === null)) {
    if (stray.tx_hash !== INITIAL_BALANCE_TX_HASH) {
      assert.equal(claim(place(stray.tx_hash, stray.log_index)).to, TREASURY);
      continue;
    }
    // One line covers all transfers before the first block that the service read.
    const before = moved.filter(({ to, blockNumber }) => to === TREASURY && blockNumber <= stray.block_number);
    const came = before.map(({ txHash, logIndex }) => claim(place(txHash, logIndex)).amountMicro);
    assert.equal(
      came.reduce((total, micro) => total + micro, 0),
      stray.amount_micro,
    );
  }
  assert.equal(balanceOf(now, 'treasury'), treasury, 'the books do not hold what was booked');
  const strayMicro = now.strays.filter(({ payment_id, returned_at }) => payment_id === null && returned_at === null);
  assert.equal(balanceOf(now, 'stray'), sum(strayMicro), 'the account of strays');
  return booked;
}

/** Where the transfers are that the operator gave back to their senders. */
export function returnedPlaces({ strays }: Snapshot): Set<string> {
  return new Set(
    strays.filter(({ returned_at }) => returned_at !== null).map(({ tx_hash, log_index }) => place(tx_hash, log_index)),
  );
}

/**
 * Asserts that each payer is counted once, gets the money back, or has an unknown outcome. No payment that was given up
 * for good has executed.
 */
function checkMoneyIn(model: ModelWorld['model'], now: Snapshot, booked: Set<string>): void {
  const rows = new Map(now.payments.map((row) => [`${row.payer}:${row.auth_nonce}`, row]));
  const refunds = new Set(now.payouts.map(({ payment_id }) => payment_id));
  const returned = returnedPlaces(now);
  const undonePlaces = new Set(model.undone.map(({ txHash, logIndex }) => place(txHash, logIndex)));
  for (const transfer of model.moved) {
    if (transfer.to !== TREASURY) continue;
    const row = rows.get(`${transfer.from}:${transfer.nonce}`);
    if (!row) continue;
    const isKnownElsewhere = undonePlaces.has(place(row.tx_hash, row.log_index));
    if (row.state === 'settled' && (isKnownElsewhere || booked.has(place(transfer.txHash, transfer.logIndex)))) {
      assert.ok(!row.late || refunds.has(row.id), `payment ${row.id} came late and is not owed back`);
      continue;
    }
    // A payment that comes after the operator gave its transfer back to the payer fails, and has nothing to wait for.
    const isOver = returned.has(place(transfer.txHash, transfer.logIndex));
    assert.ok(
      row.state === 'settling' || (row.state === 'failed' && (row.watched || isOver)),
      `payment ${row.id} has moved, is ${row.state}, and nobody looks at it any more`,
    );
  }
}

/**
 * Asserts that each outgoing transfer belongs to one payout, once, with its recipient. Its amount is that of the payout
 * and of the small amounts that it carries along.
 */
function checkMoneyOut({ moved, undone }: ModelWorld['model'], now: Snapshot): void {
  const payouts = new Map(now.payouts.map((payout) => [nonceOf(payout.reference), payout]));
  const paid = new Set<string>();
  const undoneHashes = new Set<string | null>(undone.map(({ txHash }) => txHash));
  for (const { from, to, amountMicro, nonce, txHash } of moved) {
    if (from !== TREASURY) continue;
    const payout = payouts.get(nonce ?? '');
    assert.ok(payout, `${amountMicro} left the treasury for nothing that is owed`);
    const carried = now.payouts.filter(({ sent_with }) => sent_with === payout.id);
    assert.equal(amountMicro, sum([payout, ...carried]), `the transfer of payout ${payout.id}`);
    for (const one of [payout, ...carried]) {
      assert.ok(!paid.has(one.id), `payout ${one.id} was paid twice`);
      paid.add(one.id);
      assert.equal(to, one.recipient, `the recipient of payout ${one.id}`);
      assert.ok(['sending', 'settled'].includes(one.state), `payout ${one.id} was paid and is ${one.state}`);
      if (one.state === 'settled' && !undoneHashes.has(one.tx_hash)) assert.equal(one.tx_hash, txHash);
    }
  }
  for (const { id, state, tx_hash } of now.payouts)
    if (state === 'settled' && !undoneHashes.has(tx_hash)) assert.ok(paid.has(id), `payout ${id} never moved`);
  for (const row of now.payments.filter(isOutgoing)) assert.notEqual(row.state, 'failed', 'a payout was given up');
}

function checkSubjects({ payments, submissions }: Snapshot): void {
  const settled = new Map<string, number>();
  for (const { kind, subject_id, state, late, amount_micro } of payments)
    if (state === 'settled' && !late) {
      assert.ok(!settled.has(`${kind} ${subject_id}`), `${kind} of ${subject_id} is settled twice`);
      settled.set(`${kind} ${subject_id}`, amount_micro);
    }
  for (const { id, entry_fee_paid_micro } of submissions)
    assert.equal(entry_fee_paid_micro, settled.get(`entry_fee ${id}`) ?? 0, `the fee of submission ${id}`);
}

export function sum(rows: { amount_micro: number }[]): number {
  return rows.reduce((total, { amount_micro }) => total + amount_micro, 0);
}

/** Whether a payment of a project has vanished. Until it has settled again, the project holds less than it owes. */
export function lacksMoney({ id }: Pick<ProjectNow, 'id'>, { payments, submissions }: Snapshot): boolean {
  const own = new Set([id, ...submissions.filter(({ project_id }) => project_id === id).map((entry) => entry.id)]);
  return payments.some((row) => isVanished(row) && own.has(row.subject_id));
}

/** Returns the prize and the fees that count for a project. */
export function countedFor({ id }: ProjectNow, { payments, submissions }: Snapshot) {
  const own = new Set(submissions.filter(({ project_id }) => project_id === id).map((submission) => submission.id));
  const counted = payments.filter(({ state, late }) => state === 'settled' && !late);
  return {
    prizes: counted.filter(({ kind, subject_id }) => kind === 'escrow' && subject_id === id),
    fees: counted.filter(({ kind, subject_id }) => kind === 'entry_fee' && own.has(subject_id)),
  };
}

/** Asserts that a place is a confirmed entry, or a live fee whose place has not lapsed. */
function checkPlaces({ id, places_taken, max_entries }: ProjectNow, { payments, submissions }: Snapshot): void {
  const own = submissions.filter(({ project_id }) => project_id === id);
  const ids = new Set(own.map((submission) => submission.id));
  const live = new Set(
    payments
      .filter(
        ({ kind, subject_id, state, late }) =>
          kind === 'entry_fee' && ids.has(subject_id) && state !== 'failed' && !late,
      )
      .map(({ subject_id }) => subject_id),
  );
  const confirmed = own.filter(({ status }) => status === 'submitted');
  const holding = own.filter(({ place_until }) => place_until !== null);
  for (const { id: holder, status } of holding)
    assert.ok(status === 'pending' && live.has(holder), `entry ${holder} holds a place without a live fee`);
  assert.equal(places_taken, confirmed.length + holding.length, `the places of project ${id}`);
  assert.ok(max_entries === null || places_taken <= max_entries, `project ${id} has more entries than places`);
}

/** Asserts: prize and fees = payouts + refunds + the platform's part + the held amount. */
function checkProject(project: ProjectNow, now: Snapshot): void {
  const { id, status, prize_micro } = project;
  checkPlaces(project, now);
  if (lacksMoney(project, now)) return;
  const { prizes, fees } = countedFor(project, now);
  const own = now.payouts.filter(({ project_id }) => project_id === id);
  const [refunds, awards] = [own.filter(({ kind }) => kind === 'refund'), own.filter(({ kind }) => kind !== 'refund')];
  const held = balanceOf(now, `escrow:${id}`) + balanceOf(now, `fees:${id}`);
  // A credited amount leaves the accounts of its project before its transfer.
  const paidOut = sum(own.filter(({ state, credited_at }) => state === 'settled' || credited_at !== null));
  const receives = receivesOf({ prizeMicro: prize_micro, feePpm: project.platform_fee_ppm });
  const feeKept = project.fee_kept ? prize_micro - receives : 0;
  const hasEnded = status === 'completed' || status === 'cancelled';
  // The platform fee is booked with the award, and the kept entry fees at the end.
  const ofAward = project.awarded_at === null ? 0 : prize_micro - receives;
  const platform = hasEnded ? sum(prizes) + sum(fees) - sum(awards) - sum(refunds) : ofAward;
  assert.equal(sum(prizes) + sum(fees), paidOut + platform + held, `the money of project ${id}, which is ${status}`);
  assert.equal(sum(prizes), status === 'draft' || prizes.length === 0 ? 0 : prize_micro, `the prize of project ${id}`);
  assert.equal(prizes.length, status === 'draft' ? 0 : status === 'cancelled' ? prizes.length : 1);
  const kinds = awards.map(({ kind }) => kind);
  // A poster receives the winning entry for the transfer of its prize.
  assert.ok(
    awards.every(({ kind, credited_at }) => kind !== 'prize' || credited_at === null),
    `the prize of project ${id} is only credited`,
  );
  assert.ok(!kinds.includes('prize') || kinds.length === 1, `project ${id} owes more than its prize`);
  const rest = refunds.filter(({ submission_id }) => submission_id === null);
  if (status === 'cancelled') {
    checkCancelledFees(project, now, { fees, refunds });
    assert.equal(awards.length, 0, `project ${id} is cancelled and awarded`);
    const keptMicro = sum(prizes) - sum(rest);
    // The step in which the poster canceled it checked the fee of a cancellation.
    if (!isCanceledByPoster(project)) assert.equal(keptMicro, feeKept, `what is kept of the prize of project ${id}`);
  } else {
    assert.equal(sum(awards) + sum(rest), project.awarded_at === null ? 0 : receives, `what project ${id} awards`);
    assert.ok(rest.length === 0 || project.selection === 'silence', `project ${id} gives back a part of its prize`);
    checkFeeRefunds(project, now, refunds);
  }
  const ended = status === 'completed' || status === 'cancelled' || project.awarded_at !== null;
  const still = status === 'draft' || ended || project.hold_reason !== null;
  assert.equal(still, project.due_at === null, `the timer of project ${id}, which is ${status}`);
  // A share without a wallet keeps nobody waiting, and a transfer that was taken back is sent again.
  const again = new Set(now.payments.filter(isVanished).map(({ subject_id }) => subject_id));
  const unpaid = awards.filter(
    (each) => each.kind !== 'share' && each.state !== 'settled' && each.credited_at === null,
  );
  assert.ok(
    status !== 'completed' || unpaid.every((each) => again.has(each.id)),
    `project ${id} ended without its prize`,
  );
}

/** Whether the poster canceled a published project to which nobody had come. */
export const isCanceledByPoster = ({ cancelled_by, no_winner_reason, published_at }: ProjectNow) =>
  cancelled_by === 'poster' && no_winner_reason === null && published_at !== null;

/** Asserts whose fees a cancelled project gives back. */
function checkCancelledFees(
  { id, cancelled_by, no_winner_reason }: ProjectNow,
  { submissions }: Snapshot,
  { fees, refunds }: { fees: PaymentNow[]; refunds: PayoutNow[] },
): void {
  const entries = new Map(submissions.map((submission) => [submission.id, submission]));
  const back = new Set(refunds.map(({ payment_id }) => payment_id));
  for (const fee of fees) {
    const entry = entries.get(fee.subject_id);
    const expected = goesBack(
      { by: cancelled_by ?? 'timer', noWinner: no_winner_reason !== null },
      { confirmed: entry?.status === 'submitted', poor: entry?.score === 1 && entry.score_source === 'poster' },
    );
    if (expected !== null) assert.equal(back.has(fee.id), expected, `the refund of the fee ${fee.id} of project ${id}`);
  }
}

/** Asserts that a project that is not cancelled gives fees of confirmed entries back only where its poster was silent. */
function checkFeeRefunds(
  { id, status, selection, held_selection }: ProjectNow,
  { submissions }: Snapshot,
  refunds: PayoutNow[],
): void {
  const confirmed = new Set(submissions.filter((entry) => entry.status === 'submitted').map((entry) => entry.id));
  const ofEntries = refunds.filter(({ submission_id }) => submission_id !== null && confirmed.has(submission_id));
  const wasSilent = held_selection === 'silence' || ['silence', 'shared', 'operator'].includes(selection ?? '');
  assert.ok(wasSilent || ofEntries.length === 0, `project ${id} is ${status} and gives back`);
  assert.ok(status !== 'open' || refunds.length === 0, `project ${id} is open and gives back`);
}

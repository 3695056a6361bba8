import assert from 'node:assert/strict';
import { isVanished, lacksMoney, sum } from './invariants.ts';
import { judgedScore } from './judge-model.ts';
import { type Contest, type Division, operatorShares, silence, winnerTakesIt } from './rules.ts';
import type { PayoutNow, ProjectNow, Snapshot, SubmissionNow } from './snapshot.ts';
import type { Settings } from './model-world.ts';

// The rules of a fair market, at any moment of a story.

const DAY_MS = 86_400_000;
/** One party gets at most this part of a day's cap. */
const PARTIES = 10;

const byConfirmation = (a: SubmissionNow, b: SubmissionNow) =>
  Date.parse(a.submitted_at ?? '') - Date.parse(b.submitted_at ?? '') || (a.id < b.id ? -1 : 1);

/** The confirmed entries of a project, the earliest first. */
function entriesOf({ id }: ProjectNow, { submissions }: Snapshot): SubmissionNow[] {
  return submissions
    .filter(({ project_id, status }) => project_id === id && status === 'submitted')
    .toSorted(byConfirmation);
}

/** The model's knowledge of entries: their pictures. */
export type Pictures = { pictures: Map<string, Buffer> };

function contestOf(project: ProjectNow, now: Snapshot, pictures: Pictures['pictures']): Contest {
  const entries = entriesOf(project, now);
  const counted = now.payments.filter(({ kind, state, late }) => kind === 'entry_fee' && state === 'settled' && !late);
  const payers = new Map(counted.map(({ subject_id, payer }) => [subject_id, payer]));
  return {
    prizeMicro: project.prize_micro,
    feePpm: project.platform_fee_ppm,
    entryFeeMicro: project.entry_fee_micro,
    entries: entries.map(({ id, disqualified_at }) => ({
      id,
      payer: payers.get(id) ?? null,
      disqualified: disqualified_at !== null,
      isCopy: isCopy(pictures, entries, id),
    })),
  };
}

/** Returns the best entry by the scores of one judge, then the earliest. A score of the other judge does not count. */
function bestOf(project: ProjectNow, now: Snapshot, judge: SubmissionNow['score_source']): string {
  const scored = entriesOf(project, now).filter(
    ({ disqualified_at, score_source }) => disqualified_at === null && score_source === judge,
  );
  const best = Math.max(...scored.map(({ score }) => score ?? 0));
  return scored.find(({ score }) => score === best)?.id ?? '';
}

/** How the prize of a project is divided that was awarded, or cancelled because nobody judged it; null otherwise. */
function divisionOf(
  project: ProjectNow,
  now: Snapshot,
  { silenceShareCap, pictures }: Settings & Pictures,
): Division | null {
  const contest = contestOf(project, now, pictures);
  switch (project.selection) {
    case 'poster':
    case 'operator':
      return winnerTakesIt(contest, project.winner_submission_id ?? '');
    case 'scores':
      return winnerTakesIt(contest, bestOf(project, now, 'poster'));
    case 'ai':
      return winnerTakesIt(contest, bestOf(project, now, 'ai'));
    case 'silence':
      return silence(contest, silenceShareCap);
    case 'shared':
      return operatorShares(contest);
    case null:
      return project.cancel_reason === 'silence' ? silence(contest, silenceShareCap) : null;
  }
}

export function checkFairness(now: Snapshot, settings: Settings, known: Pictures): void {
  for (const project of now.projects) {
    if (!lacksMoney(project, now)) checkDivision(project, now, { ...settings, ...known });
    checkJudge(project, now, known);
    checkCancellation(project);
  }
  checkOwed(now);
  checkCaps(now, settings);
}

/** Asserts who gets the prize, to the microdollar, and that silence keeps no fee of a confirmed entry. */
function checkDivision(project: ProjectNow, now: Snapshot, settings: Settings & Pictures): void {
  const { id, prize_micro } = project;
  const own = now.payouts.filter(({ project_id }) => project_id === id);
  const awards = own.filter(({ kind }) => kind === 'prize' || kind === 'share');
  const division = divisionOf(project, now, settings);
  assert.deepEqual(
    new Map(awards.map(({ submission_id, amount_micro }) => [submission_id, amount_micro])),
    division?.shares ?? new Map(),
    `who gets the prize of ${id} by ${project.selection}`,
  );
  if (division === null) return;
  assert.equal(division.toPosterMicro + division.platformMicro + sum(awards), prize_micro, `the prize of ${id}`);
  const prizes = new Set(
    now.payments.filter(({ kind, subject_id }) => kind === 'escrow' && subject_id === id).map((row) => row.id),
  );
  const toPoster = own.filter(({ kind, payment_id }) => kind === 'refund' && prizes.has(payment_id ?? ''));
  assert.equal(sum(toPoster), division.toPosterMicro, `what the poster of ${id} gets back`);
  if (project.selection === 'silence' || project.selection === 'shared' || project.cancel_reason === 'silence')
    checkFeesBack(project, now);
}

/**
 * Asserts that the scores of the AI judge are the answers of the model, and that its winner has one. An entry that the
 * poster scored before its disqualification keeps that score.
 */
function checkJudge(project: ProjectNow, now: Snapshot, { pictures }: Pictures): void {
  if (project.selection !== 'ai' && project.held_selection !== 'ai') return;
  for (const { id, score, score_source: judge } of entriesOf(project, now)) {
    if (project.winner_submission_id === id) assert.equal(judge, 'ai', `the model chose ${id} without a score`);
    if (judge !== 'ai') continue;
    const judged = judgedScore(pictures.get(id) ?? Buffer.alloc(0));
    // Without a usable answer, or an answer in any round, an entry has no score and no judge.
    assert.equal(score, judged, `the score ${score} of ${id}, which the model judged with ${judged}`);
  }
}

/** An operator who shares a prize gives every fee back; silence gives those of confirmed entries back. */
function checkFeesBack({ id, selection }: ProjectNow, { payments, payouts, submissions }: Snapshot): void {
  const own = submissions.filter(({ project_id }) => project_id === id);
  const entered = new Set(
    own.filter(({ status }) => selection === 'shared' || status === 'submitted').map((submission) => submission.id),
  );
  const back = new Map(payouts.map(({ payment_id, amount_micro }) => [payment_id, amount_micro]));
  for (const { id: paymentId, kind, subject_id, state, amount_micro } of payments)
    if (kind === 'entry_fee' && state === 'settled' && entered.has(subject_id))
      assert.equal(back.get(paymentId), amount_micro, `the fee ${paymentId} of ${id}, which nobody judged`);
}

function checkCancellation({ id, status, cancelled_at, cancelled_by, cancel_reason }: ProjectNow): void {
  const told = [cancelled_at, cancelled_by, cancel_reason].map((each) => each !== null);
  assert.deepEqual(told, Array(3).fill(status === 'cancelled'), `why, when, and by whom ${id} was cancelled`);
}

const isOpen = ({ state }: PayoutNow) => state !== 'settled';
/** The account that pays: a credited amount has moved to the account of its wallet. */
const debtor = ({ debit_account, credited_at, recipient }: PayoutNow) =>
  credited_at === null ? debit_account : `payable:${recipient}`;

/** Asserts that each amount is owed to somebody, and that the books hold it. */
function checkOwed({ payments, payouts, accounts }: Snapshot): void {
  const vanished = new Set(payments.filter(isVanished).map(({ vanished_from }) => vanished_from));
  const owed = new Map<string, number>();
  for (const payout of payouts.filter(isOpen)) {
    const { id, recipient, agent_id, state } = payout;
    assert.ok(recipient !== null || (state === 'waiting' && agent_id !== null), `payout ${id} is owed to nobody`);
    owed.set(debtor(payout), (owed.get(debtor(payout)) ?? 0) + payout.amount_micro);
  }
  for (const { id, balance_micro } of accounts.filter((account) => !vanished.has(account.id))) {
    if (id.startsWith('payable:')) assert.equal(balance_micro, owed.get(id) ?? 0, `${id} is owed to nobody`);
    if (id.startsWith('escrow:') || id.startsWith('fees:'))
      assert.ok(balance_micro >= (owed.get(id) ?? 0), `${id} owes more than it holds`);
  }
}

/** Asserts that no day, no recipient, and no poster exceeds its cap, but for what the operator released. */
function checkCaps({ payouts }: Snapshot, { perTransferMicro, perDayMicro }: Settings): void {
  const perParty = Math.max(Math.floor(perDayMicro / PARTIES), perTransferMicro);
  const sent = new Map<string, number>();
  for (const payout of payouts) {
    const { kind, amount_micro, recipient, submission_id, released, sent_at, deposited_at, sent_with } = payout;
    // An entry fee that goes back belongs to its entrant, and not to the poster.
    const poster_id = kind === 'refund' && submission_id !== null ? null : payout.poster_id;
    const at = Date.parse(sent_at ?? '');
    const fresh = deposited_at !== null && at - Date.parse(deposited_at) <= DAY_MS;
    if (sent_at === null || released || fresh || sent_with !== null) continue;
    assert.ok(amount_micro <= perTransferMicro, `${amount_micro} is over the cap of one transfer`);
    const day = `${kind === 'refund' || kind === 'return'} ${Math.floor(at / DAY_MS)}`;
    for (const [party, cap] of [
      ['all', perDayMicro],
      [`to ${recipient}`, perParty],
      ...(poster_id === null ? [] : [[`of ${poster_id}`, perParty] as const]),
    ] as const) {
      const total = (sent.get(`${day} ${party}`) ?? 0) + amount_micro;
      assert.ok(total <= cap, `${total} ${party} on day ${day} is over the cap`);
      sent.set(`${day} ${party}`, total);
    }
  }
}

/** `consents` has the changes that both wallets signed, as `agent old new`. `at` is the time of the service. */
type WalletRules = { consents: ReadonlySet<string>; at: Date; walletChangeMs: number };

/** Asserts that a proven wallet changes only with its own signature, or after the wait that its agent saw. */
export function checkWallets(before: Snapshot, now: Snapshot, { consents, at, walletChangeMs }: WalletRules): void {
  const known = new Map(before.agents.map((agent) => [agent.id, agent]));
  for (const { id, wallet_address } of now.agents) {
    const old = known.get(id);
    if (!old?.wallet_proven || old.wallet_address === wallet_address) continue;
    const isSigned = consents.has(`${id} ${old.wallet_address} ${wallet_address}`);
    const { pending_wallet: pending, pending_wallet_at: since } = old;
    const hasWaited = pending === wallet_address && since !== null && Date.parse(since) <= at.getTime();
    assert.ok(
      isSigned || hasWaited || walletChangeMs === 0,
      `${id} lost its proven wallet ${old.wallet_address} to ${wallet_address}`,
    );
  }
}

/** The amounts that the platform earned with a project that has ended. */
export function platformMicro(project: ProjectNow, now: Snapshot): number {
  if (project.status !== 'completed' && project.status !== 'cancelled') return 0;
  const own = now.payouts.filter(({ project_id, state }) => project_id === project.id && state === 'settled');
  const entered = new Set(now.submissions.filter((entry) => entry.project_id === project.id).map(({ id }) => id));
  const paid = now.payments.filter(
    ({ kind, subject_id, state, late }) =>
      state === 'settled' && !late && (kind === 'escrow' ? subject_id === project.id : entered.has(subject_id)),
  );
  return sum(paid) - sum(own);
}

/** Whether an entry has exactly the picture of an earlier one. `entries` come in the order of their confirmation. */
function isCopy(pictures: ReadonlyMap<string, Buffer>, entries: { id: string }[], id: string): boolean {
  const picture = pictures.get(id);
  const earlier = entries.slice(
    0,
    entries.findIndex((entry) => entry.id === id),
  );
  return picture !== undefined && earlier.some((entry) => pictures.get(entry.id)?.equals(picture) ?? false);
}

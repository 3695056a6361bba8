import assert from 'node:assert/strict';
import type { Deps } from '../../server/deps.ts';
import { advanceProjects } from '../../server/judging/advance-projects.ts';
import { checkLedger } from '../../server/reconciliation/check-ledger.ts';
import { retryPayout } from '../../server/payouts/retry-payout.ts';
import { flagLikenesses } from '../../server/entries/originality/public.ts';
import { releasePayout } from '../../server/judging/holds/release-payout.ts';
import { sendPayouts } from '../../server/payouts/send-payouts.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { challengeWallet } from '../../server/agents/wallets/challenge-wallet.ts';
import { linkWallet } from '../../server/agents/wallets/link-wallet.ts';
import { prove } from './actions-money-in.ts';
import { ELSEWHERE } from './actions-world.ts';
import { balanceOf, countedFor, receivesOf, sum } from './invariants.ts';
import { callers, look, perform, type Scene } from './scene.ts';
import type { ProjectNow, Snapshot, SubmissionNow } from './snapshot.ts';
import { TREASURY } from './world.ts';

const WELL = { on: 0, luck: 0, settle: 'honest', trouble: null } as const;
const MOST_ROUNDS = 100;

/** Lets everything settle: ends the faults, answers hanging calls, and moves time until no work is left. */
async function comeToRest(scene: Scene): Promise<void> {
  const { model, outside, time } = scene.world;
  model.node.lagBlocks = 0;
  time.skewMs = 0;
  for (const call of outside.held.splice(0)) {
    call.goOn();
    await outside.quiet(Promise.resolve());
  }
  scene.world.restart(1);
  model.rebroadcast();
  await look(scene);
  for (let round = 1; ; round += 1) {
    assert.ok(round <= MOST_ROUNDS, `it does not come to rest: ${unrest(scene.now)}`);
    model.mine();
    await perform(scene, WELL, { label: 'all jobs', run: ({ deps }) => allJobs(deps) });
    if (scene.now.payouts.some(({ state }) => state === 'held')) await letGo(scene);
    if (scene.now.projects.some(({ hold_reason }) => hold_reason !== null)) await release(scene);
    if (unrest(scene.now) === '') break;
    time.trueMs = Math.max(time.trueMs, nextTime(scene) + 1_000);
  }
}

async function release(scene: Scene): Promise<void> {
  for (const { id } of scene.now.projects.filter(({ hold_reason }) => hold_reason !== null))
    await perform(scene, WELL, {
      label: `release ${id}`,
      run: (on) =>
        releasePayout(callers(scene).operator(on), { params: { project_id: id }, body: { reason: 'Released' } }),
    });
}

async function allJobs(deps: Deps): Promise<void> {
  await flagLikenesses(deps);
  await advanceProjects(deps);
  await sweepPayments(deps);
  await sendPayouts(deps, new AbortController().signal);
}

async function letGo(scene: Scene): Promise<void> {
  for (const { id, reference } of scene.now.payouts.filter(({ state }) => state === 'held'))
    await perform(scene, WELL, {
      label: `let ${reference} go`,
      run: (on) => retryPayout(callers(scene).operator(on), { params: { payout_id: id }, body: { reason: 'Let go' } }),
    });
}

/** Describes the work in flight. A payout that waits for a wallet is at rest, and so is its project. */
function unrest({ projects, payments, payouts }: Snapshot): string {
  const waits = new Set(payouts.filter(({ state }) => state === 'waiting').map(({ project_id }) => project_id));
  return [
    ...payments.filter(({ state, watched }) => state === 'settling' || (state === 'failed' && watched)),
    ...payouts.filter(({ state }) => state !== 'settled' && state !== 'waiting'),
    ...projects.filter(({ id, status }) => (status === 'open' || status === 'judging') && !waits.has(id)),
  ]
    .map((row) => JSON.stringify(row))
    .join('\n');
}

/** Returns when the next unhandled event is due. */
function nextTime({ now, world }: Scene): number {
  const dates = [
    ...now.projects.map(({ due_at }) => due_at),
    ...now.payouts.filter(({ state }) => state === 'ready').map(({ due_at }) => due_at),
    ...now.payments
      .filter(({ state }) => state === 'settling')
      .map(({ sweep_at, lease_until }) => (lease_until !== null && lease_until > sweep_at ? lease_until : sweep_at)),
  ];
  const times = dates.flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  // A failed payment can be forgotten once a safe block is later than its deadline.
  const watched = now.payments.filter(({ state, watched: still }) => state === 'failed' && still);
  const dead = watched.map(({ valid_before, sweep_at }) =>
    Math.max(valid_before * 1000 + 150_000, Date.parse(sweep_at)),
  );
  const future = [...times, ...dead].filter((at) => at > world.time.trueMs);
  return future.length > 0 ? Math.min(...future) : world.time.trueMs + 600_000;
}

/** Asserts the final state of everything at rest, to the microdollar. */
export async function checkEnd(scene: Scene): Promise<void> {
  await comeToRest(scene);
  checkRest(scene);
  await linkAll(scene);
  await comeToRest(scene);
  checkRest(scene);
  const { now, world } = scene;
  assert.deepEqual(
    now.payouts.filter(({ state }) => state !== 'settled'),
    [],
    'everyone has a wallet, and something is not paid',
  );
  assert.deepEqual(
    now.accounts.filter(
      ({ id, balance_micro }) => balance_micro !== 0 && !['treasury', 'revenue', 'stray'].includes(id),
    ),
    [],
    'everything has ended, and something is held',
  );
  for (const { id, earned_micro, pending_micro } of now.agents) {
    const awards = now.payouts.filter(({ agent_id, kind }) => agent_id === id && kind !== 'refund');
    assert.deepEqual({ earned_micro, pending_micro }, { earned_micro: sum(awards), pending_micro: 0 }, `agent ${id}`);
  }
  checkBalances(scene);
  const { deps } = world.processes[0]!;
  const { problems } = await checkLedger(deps);
  assert.deepEqual(problems, []);
}

function checkRest({ now, reviews }: Scene): void {
  const linked = new Set(now.agents.filter(({ wallet_linked_at }) => wallet_linked_at !== null).map(({ id }) => id));
  for (const payout of now.payouts.filter(({ state }) => state === 'waiting'))
    assert.ok(!linked.has(payout.agent_id ?? ''), `payout ${payout.id} waits, and its agent has a wallet`);
  for (const project of now.projects.filter(({ awarded_at }) => awarded_at !== null)) checkSelection(project, now);
  for (const { id, score, outcome } of now.submissions) {
    const told = reviews.get(id);
    if (told !== undefined && told !== null && outcome !== null) assert.equal(score, told, `the score of ${id}`);
  }
}

/** Returns the entries of a project that are not disqualified, in the order of their confirmation. */
function entriesOf({ id }: ProjectNow, { submissions }: Snapshot): SubmissionNow[] {
  return submissions
    .filter(
      ({ project_id, status, disqualified_at }) => project_id === id && status === 'submitted' && !disqualified_at,
    )
    .toSorted((a, b) => Date.parse(a.submitted_at ?? '') - Date.parse(b.submitted_at ?? '') || (a.id < b.id ? -1 : 1));
}

/**
 * Finds who gets a part of the prize without the rules of the service: the chosen entry, the best and earliest entry, or
 * the earliest entry of each wallet.
 */
function winnersOf(project: ProjectNow, now: Snapshot): SubmissionNow[] {
  const entries = entriesOf(project, now);
  const { selection, winner_submission_id: chosen } = project;
  if (selection === 'poster' || selection === 'operator') return entries.filter(({ id }) => id === chosen);
  if (selection === 'silence' || selection === 'shared') {
    const { fees } = countedFor(project, now);
    const payerOf = (id: string) => fees.find(({ subject_id }) => subject_id === id)?.payer ?? id;
    return entries.filter(({ id }, index) =>
      entries.slice(0, index).every((earlier) => payerOf(earlier.id) !== payerOf(id)),
    );
  }
  const best = Math.max(...entries.map(({ score }) => score ?? 0));
  return entries.filter(({ score }) => score === best).slice(0, 1);
}

/** Maps each submission to its award in microdollars. */
function awardsOf(project: ProjectNow, now: Snapshot): Map<string, number> {
  const winners = winnersOf(project, now);
  const each = Math.floor(receivesOf(project) / winners.length);
  const rest = receivesOf(project) - each * winners.length;
  const most = project.selection === 'silence' ? 10 * project.entry_fee_micro : Infinity;
  return new Map(winners.map(({ id }, index) => [id, Math.min(most, each + (index === 0 ? rest : 0))]));
}

function checkSelection(project: ProjectNow, now: Snapshot): void {
  const awards = awardsOf(project, now);
  const owed = now.payouts.filter(({ project_id, kind }) => project_id === project.id && kind !== 'refund');
  assert.deepEqual(
    new Map(owed.map(({ submission_id, amount_micro }) => [submission_id, amount_micro])),
    awards,
    `who wins project ${project.id} by ${project.selection}`,
  );
}

/** Links a wallet for every agent that still waits for one. */
async function linkAll(scene: Scene): Promise<void> {
  for (const { agent_id } of scene.now.payouts.filter(({ state }) => state === 'waiting')) {
    const agentId = agent_id ?? '';
    const address = `0x${'c'.repeat(30)}${agentId.slice(-10)}`;
    prove(scene, agentId, address);
    await perform(scene, WELL, {
      label: `link ${address} to ${agentId}`,
      async run(on) {
        const agent = callers(scene).agent(on, agentId);
        const { message } = await challengeWallet(agent, { body: { address } });
        await linkWallet(agent, { body: { message, signature: scene.world.model.signMessage(address, message) } });
      },
    });
  }
}

/**
 * Asserts the balance of every wallet. It holds what it received, plus what it won, less what it spent elsewhere. It
 * also lacks the prize or fee that counted in a completed project. All other payments came back.
 */
function checkBalances({ world: { model }, now }: Scene): void {
  const expected = new Map<string, number>();
  const give = (address: string, micro: number) => void expected.set(address, (expected.get(address) ?? 0) + micro);
  const claimed = new Set(now.payments.map(({ payer, auth_nonce }) => `${payer}:${auth_nonce}`));
  for (const { from, to, nonce, amountMicro } of model.moved)
    if (from !== TREASURY && !claimed.has(`${from}:${nonce}`)) {
      give(from, -amountMicro);
      give(to, amountMicro);
    }
  let revenue = 0;
  for (const project of now.projects.filter(({ status }) => status === 'completed')) {
    const { prizes, fees } = countedFor(project, now);
    const awards = awardsOf(project, now);
    for (const { payer, amount_micro } of [...prizes, ...fees]) {
      give(payer, -amount_micro);
      give(TREASURY, amount_micro);
    }
    for (const [submissionId, micro] of awards) {
      const payout = now.payouts.find(({ submission_id, kind }) => submission_id === submissionId && kind !== 'refund');
      give(payout?.recipient ?? '', micro);
      give(TREASURY, -micro);
    }
    const refunds = now.payouts.filter(({ project_id, kind }) => project_id === project.id && kind === 'refund');
    for (const { recipient, amount_micro } of refunds) {
      give(recipient ?? '', amount_micro);
      give(TREASURY, -amount_micro);
    }
    revenue += sum(prizes) + sum(fees) - sum(refunds) - [...awards.values()].reduce((total, micro) => total + micro, 0);
  }
  for (const project of now.projects.filter(({ fee_kept }) => fee_kept)) {
    const keptMicro = project.prize_micro - receivesOf(project);
    give(project.funding_wallet ?? '', -keptMicro);
    give(TREASURY, keptMicro);
    revenue += keptMicro;
  }
  const wallets = new Set([
    TREASURY,
    ELSEWHERE,
    ...expected.keys(),
    ...model.moved.flatMap(({ from, to }) => [from, to]),
  ]);
  for (const wallet of wallets)
    assert.equal(
      model.balance(wallet),
      model.mintedMicro(wallet) + (expected.get(wallet) ?? 0),
      `the balance of ${wallet}`,
    );
  assert.equal(balanceOf(now, 'revenue'), revenue, 'what the platform earned');
}

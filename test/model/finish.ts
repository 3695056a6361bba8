import assert from 'node:assert/strict';
import type { Deps } from '../../server/deps.ts';
import { checkLedger } from '../../server/reconciliation/check-ledger.ts';
import { retryPayout } from '../../server/payouts/retry-payout.ts';
import { resumeInspections } from '../../server/entries/confirmation/resume-inspections.ts';
import { releasePayout } from '../../server/judging/hold-payout.ts';
import { sendPayouts } from '../../server/payouts/send-payouts.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { challengeWallet, linkWallet } from '../../server/agents/wallets/link-wallet.ts';
import { applyWalletChanges } from '../../server/agents/wallets/apply-wallet-changes.ts';
import { prove } from './actions/money-in.ts';
import { advanceAll } from './advance.ts';
import { ELSEWHERE } from './actions/on-chain.ts';
import { platformMicro } from './fairness.ts';
import { place } from './chain-model.ts';
import { balanceOf, countedFor, isVanished, returnedPlaces, sum } from './invariants.ts';
import { callers, look, perform, type Scene } from './scene.ts';
import type { PaymentNow, PayoutNow, Snapshot } from './snapshot.ts';
import { TREASURY } from './model-world.ts';

const WELL = { on: 0, luck: 0, settle: 'honest', trouble: null } as const;
/** The checks of a project, every 30 s, while the pauses of its AI judge pass take most of them. */
const MOST_ROUNDS = 500;

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
    if (takenBack(scene).length > 0)
      await perform(scene, WELL, { label: 'check', run: ({ deps }) => checkLedger(deps, { rereadMs: 0 }) });
    if (scene.now.payouts.some(waitsForOperator)) await letGo(scene);
    if (scene.now.projects.some(({ hold_reason }) => hold_reason !== null)) await release(scene);
    if (unrest(scene.now) === '' && takenBack(scene).length === 0) break;
    time.trueMs = Math.max(time.trueMs, nextTime(scene) + 1_000);
  }
}

/** The payments that are booked where the chain has nothing any more. */
function takenBack({ now, world: { model } }: Scene): PaymentNow[] {
  const places = new Set(model.moved.map(({ txHash, logIndex }) => place(txHash, logIndex)));
  return now.payments.filter((row) => row.state === 'settled' && !places.has(place(row.tx_hash, row.log_index)));
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
  await resumeInspections(deps);
  await advanceAll(deps);
  await applyWalletChanges(deps);
  await sweepPayments(deps);
  await sendPayouts(deps, new AbortController().signal);
}

/** A payout that a daily cap holds resumes by itself, so the operator releases only the others. */
const waitsForOperator = ({ state, held_until }: PayoutNow) =>
  (state === 'held' && held_until === null) || state === 'credited';

async function letGo(scene: Scene): Promise<void> {
  for (const { id, reference } of scene.now.payouts.filter(waitsForOperator))
    await perform(scene, WELL, {
      label: `let ${reference} go`,
      run: (on) => retryPayout(callers(scene).operator(on), { params: { payout_id: id }, body: { reason: 'Let go' } }),
    });
}

/** Describes the work in flight. A payout that waits for a wallet is at rest, and so is the project of a prize. */
function unrest({ projects, payments, payouts }: Snapshot): string {
  const waits = new Set(
    payouts.filter(({ kind, state }) => kind === 'prize' && state === 'waiting').map(({ project_id }) => project_id),
  );
  const lost = lostPayments(payments);
  return [
    ...payments.filter(({ state, watched }) => state === 'settling' || (state === 'failed' && watched)),
    ...payouts.filter(({ state, payment_id }) => state !== 'settled' && state !== 'waiting' && !lost.has(payment_id)),
    ...projects.filter(({ id, status }) => (status === 'open' || status === 'judging') && !waits.has(id)),
  ]
    .map((row) => JSON.stringify(row))
    .join('\n');
}

/** The payments that were taken back for good. Nobody gets them refunded. */
const lostPayments = (payments: PaymentNow[]) =>
  new Set<string | null>(payments.filter((row) => isVanished(row) && !row.watched).map(({ id }) => id));

/** Returns when the next unhandled event is due. */
function nextTime({ now, world }: Scene): number {
  const lost = lostPayments(now.payments);
  const dates = [
    ...now.projects.map(({ due_at }) => due_at),
    ...now.submissions.map(({ place_until }) => place_until),
    ...now.payouts
      .filter(({ state, payment_id }) => state === 'ready' && !lost.has(payment_id))
      .map(({ due_at }) => due_at),
    ...now.payouts.map(({ held_until }) => held_until),
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
  const lost = lostPayments(now.payments);
  assert.deepEqual(
    now.payouts.filter(({ state, payment_id }) => state !== 'settled' && !lost.has(payment_id)),
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
    const awards = now.payouts.filter(({ agent_id }) => agent_id === id);
    assert.deepEqual({ earned_micro, pending_micro }, { earned_micro: sum(awards), pending_micro: 0 }, `agent ${id}`);
  }
  checkBalances(scene);
  const { deps } = world.processes[0]!;
  const { problems } = await checkLedger(deps, { rereadMs: 0 });
  assert.deepEqual(problems, []);
}

function checkRest({ now, reviews }: Scene): void {
  const linked = new Set(now.agents.filter(({ wallet_linked_at }) => wallet_linked_at !== null).map(({ id }) => id));
  for (const payout of now.payouts.filter(({ state }) => state === 'waiting'))
    assert.ok(!linked.has(payout.agent_id ?? ''), `payout ${payout.id} waits, and its agent has a wallet`);
  for (const { id, score, outcome } of now.submissions) {
    const told = reviews.get(id);
    if (told !== undefined && told !== null && outcome !== null) assert.equal(score, told, `the score of ${id}`);
  }
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
 * Asserts the balance of every wallet. It holds what it received, plus what it won, less what it spent elsewhere and the
 * prizes and fees that counted. Refunds of projects and returned strays are in it. All other payments came back.
 */
function checkBalances({ world: { model }, now }: Scene): void {
  const expected = new Map<string, number>();
  const give = (address: string, micro: number) => void expected.set(address, (expected.get(address) ?? 0) + micro);
  const claimed = new Set(now.payments.map(({ payer, auth_nonce }) => `${payer}:${auth_nonce}`));
  // A payment that came after the return of its transfer did not get the money.
  const returned = returnedPlaces(now);
  for (const { from, to, nonce, amountMicro, txHash, logIndex } of model.moved)
    if (from !== TREASURY && (!claimed.has(`${from}:${nonce}`) || returned.has(place(txHash, logIndex)))) {
      give(from, -amountMicro);
      give(to, amountMicro);
    }
  let revenue = 0;
  for (const project of now.projects) {
    const { prizes, fees } = countedFor(project, now);
    const own = now.payouts.filter(({ project_id, state }) => project_id === project.id && state === 'settled');
    for (const { payer, amount_micro } of [...prizes, ...fees]) {
      give(payer, -amount_micro);
      give(TREASURY, amount_micro);
    }
    for (const { recipient, amount_micro } of own) {
      give(recipient ?? '', amount_micro);
      give(TREASURY, -amount_micro);
    }
    revenue += platformMicro(project, now);
  }
  for (const { recipient, amount_micro } of now.payouts.filter(({ kind }) => kind === 'return')) {
    give(recipient ?? '', amount_micro);
    give(TREASURY, -amount_micro);
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

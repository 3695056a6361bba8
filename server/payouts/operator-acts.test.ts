import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { contradictProject } from './contradiction.ts';
import { withTransaction } from '../db/transaction.ts';
import { checkObligations } from '../reconciliation/check-obligations.ts';

const USDC = 1_000_000;

describe('contradictProject', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const transfer = {
    txHash: `0x${'1'.repeat(64)}`,
    logIndex: 0,
    blockNumber: 1,
    from: world.payTo,
    to: `0x${'2'.repeat(40)}`,
    amountMicro: USDC,
  };
  const contradict = (projectId: string) => contradictProject(deps, { projectId, transfer });

  it('holds a payout until the operator releases it, and does not hold it again', async () => {
    const { projectId, winner } = await world.owed();
    await contradict(projectId);
    await world.send();
    const { id, state } = await world.payout(projectId);
    assert.deepEqual([state, await world.balance(winner.address)], ['held', 0]);
    await world.retry(id);
    await contradict(projectId);
    await world.send();
    assert.equal((await world.payout(projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('holds what the project owes later, and what waited for a wallet', async () => {
    const [ids, later, to] = [await world.project(), await world.project(), await world.wallet(0)];
    await world.award(ids, 3 * USDC);
    await contradict(ids.projectId);
    assert.equal((await world.payout(ids.projectId)).state, 'waiting');
    await db`
      update agents set wallet_address = ${to.address}, wallet_proven = true, wallet_linked_at = ${deps.clock.now()}
      where id = ${ids.agentId}`;
    await contradict(later.projectId);
    await world.award(later, 3 * USDC, to);
    await world.send();
    assert.deepEqual(await world.states([ids, later]), ['held', 'held']);
    assert.equal(await world.balance(to.address), 0);
  });

  it('does not sign again what was being sent', async () => {
    const { projectId, winner } = await world.owed();
    const settle = () => Promise.reject(new Error('down'));
    await world.send(world.with({ facilitator: { ...deps.facilitator, settle } }));
    await contradict(projectId);
    await world.pass(7_200);
    await world.sweep({ payments: deps.payments });
    const { id, state } = await world.payout(projectId);
    assert.deepEqual([state, await world.balance(winner.address)], ['sending', 0]);
    assert.equal((await world.retry(id)).payout.state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('holds a small share too, and no late payment that goes back: it was never the money of the project', async () => {
    const { projectId, winner } = await world.owed();
    await contradict(projectId);
    const owe = (reference: string, debit: string) => db`
      insert into payouts (id, reference, kind, project_id, amount_micro, debit_account, recipient, state, due_at, created_at,
        submission_id, agent_id)
      select ${randomUUIDv7()}, ${reference}, 'share', project_id, 1, ${debit}, recipient, 'ready', due_at, created_at,
        submission_id, agent_id from payouts where project_id = ${projectId} and kind = 'prize'`;
    await owe('test:share', `escrow:${projectId}`);
    await owe('test:late', `payable:${winner.address}`);
    await world.send();
    const rows = await db<{ reference: string; state: string }[]>`
      select reference, state from payouts where reference in ('test:share', 'test:late') order by reference`;
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['credited', 'held'],
    );
  });
});

describe('retryPayout', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;

  it('exempts a held payout from the caps, and no other payout', async () => {
    const { projectId } = await world.owed(3 * USDC);
    const { id } = await world.payout(projectId);
    const capped = world.caps(USDC, 1_000 * USDC);
    // The sender has not checked this payout yet, so nothing says that it exceeds a cap.
    assert.equal((await world.retry(id)).payout.state, 'ready');
    await world.send(capped);
    assert.equal((await world.payout(projectId)).state, 'held');
    assert.equal((await world.retry(id)).message, 'The payout is sent next.');
    await world.send(capped);
    assert.equal((await world.payout(projectId)).state, 'settled');
  });

  it('names the reason if nothing is sent because of a ledger mismatch', async () => {
    const { id } = await world.payout((await world.owed()).projectId);
    await db`insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
      values (${randomUUIDv7()}, ${deps.clock.now()}, true, false, ${['USDC left without a row']}, 1)`;
    assert.match((await world.retry(id)).message, /^Payouts are stopped .*USDC left without a row$/);
  });
});

// Transfers of this world have at least 10,000 microdollars.
describe('amounts that are too small for a transfer', async () => {
  const world = await payoutsWorld();
  const { db, owedShare } = world;
  const balanceOf = async (account: string) =>
    (await db<{ micro: number }[]>`select balance_micro as micro from ledger_accounts where id = ${account}`)[0]?.micro;

  /** Every amount is owed by an account that holds it. These projects exist only as drafts, so the rest is not checked. */
  async function assertOwed() {
    const { problems } = await withTransaction(db, (tx) => checkObligations(tx));
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith('project ')),
      [],
    );
  }

  it('are owed by the account of the wallet, and their project does not wait', async () => {
    const winner = await world.wallet(0);
    const ids = await owedShare(4_000, winner);
    await world.send();
    const payout = await world.payout(ids.projectId);
    assert.deepEqual(
      [payout.state, payout.note, payout.txHash],
      ['credited', 'adds up with other amounts of this wallet to 0.01 USDC', null],
    );
    assert.deepEqual(
      [await balanceOf(`escrow:${ids.projectId}`), await balanceOf(`payable:${winner.address}`)],
      [0, 4_000],
    );
    assert.equal(world.settledPayouts.filter(({ id }) => id === payout.id).length, 1);
    await assertOwed();
    await world.send();
    assert.equal((await world.rows(payout.id)).length, 0);
    assert.equal(await world.balance(winner.address), 0);
  });

  it('are never prizes, whose transfer buys the winning entry; such a transfer carries them along', async () => {
    const winner = await world.wallet(0);
    const small = await owedShare(4_000, winner);
    await world.send();
    assert.deepEqual(await world.states([small]), ['credited']);
    const prize = await world.owed(3_000, winner);
    await world.send();
    const [first, second] = [await world.payout(small.projectId), await world.payout(prize.projectId)];
    assert.deepEqual([first.state, second.state, first.txHash], ['settled', 'settled', second.txHash]);
    assert.equal(await world.balance(winner.address), 7_000);
    const alone = await world.owed(1, winner);
    await world.send();
    assert.deepEqual(await world.states([alone]), ['settled']);
    assert.equal(await world.balance(winner.address), 7_001);
    await assertOwed();
  });

  it('go out in one transfer once they add up to one', async () => {
    const winner = await world.wallet(0);
    const payouts = [await owedShare(4_000, winner), await owedShare(5_999, winner), await owedShare(1, winner)];
    for (let run = 0; run < 3; run += 1) await world.send();
    assert.equal(await world.balance(winner.address), 10_000);
    const rows = await Promise.all(payouts.map((ids) => world.payout(ids.projectId)));
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['settled', 'settled', 'settled'],
    );
    assert.equal(new Set(rows.map(({ txHash }) => txHash)).size, 1);
    assert.equal((await Promise.all(rows.map(({ id }) => world.rows(id)))).flat().length, 1);
    assert.equal(await balanceOf(`payable:${winner.address}`), 0);
    for (const { id } of rows) assert.equal(world.settledPayouts.filter((settled) => settled.id === id).length, 1);
    await assertOwed();
  });

  it('are neither lost nor paid twice while several senders run', async () => {
    const winner = await world.wallet(0);
    for (let count = 0; count < 25; count += 1) await owedShare(3_000, winner);
    for (let run = 0; run < 4; run += 1) await Promise.all(Array.from({ length: 4 }, () => world.send()));
    // A sender postpones a payout while another one takes the amounts of its wallet.
    await world.pass(6);
    // A run sends one transfer to a wallet.
    for (let run = 0; run < 8; run += 1) await world.send();
    const [{ credited, settled }] = await db<[{ credited: number; settled: number }]>`
      select coalesce(sum(amount_micro) filter (where state = 'credited'), 0)::bigint as credited,
        coalesce(sum(amount_micro) filter (where state = 'settled'), 0)::bigint as settled
      from payouts where recipient = ${winner.address}`;
    assert.equal(credited + settled, 75_000);
    assert.ok(credited < 10_000, `${credited} wait`);
    assert.equal(await world.balance(winner.address), settled);
    assert.equal((await balanceOf(`payable:${winner.address}`)) ?? 0, credited);
    await assertOwed();
  });

  it('are sent on their own if the operator releases them', async () => {
    const winner = await world.wallet(0);
    const ids = await owedShare(7, winner);
    await world.send();
    const payout = await world.payout(ids.projectId);
    await world.retry(payout.id);
    await world.send();
    assert.deepEqual(await world.states([ids]), ['settled']);
    assert.equal(await world.balance(winner.address), 7);
    assert.equal(world.settledPayouts.filter(({ id }) => id === payout.id).length, 1);
    await assertOwed();
  });
});

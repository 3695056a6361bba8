import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Context } from '../deps.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { contradictProject } from './contradiction.ts';
import { retryPayout } from './retry-payout.ts';

const USDC = 1_000_000;

describe('contradictProject', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const ctx = { ...deps, caller: { kind: 'operator' } } as unknown as Context<OperatorCaller>;
  const retry = (id: string) =>
    retryPayout(ctx, { params: { payout_id: id }, body: { reason: 'We pay it ourselves' } });
  const transfer = {
    txHash: `0x${'1'.repeat(64)}`,
    logIndex: 0,
    blockNumber: 1,
    from: world.payTo,
    to: `0x${'2'.repeat(40)}`,
    amountMicro: USDC,
  };
  const contradict = (projectId: string) => contradictProject(deps, { projectId, transfer });

  async function owed({ wallet = true } = {}) {
    const ids = await world.project();
    const to = await world.wallet(0);
    await world.award(ids, 3 * USDC, wallet ? to : undefined);
    return { ids, to, payout: await world.payout(ids.projectId) };
  }

  it('holds a payout until the operator releases it, and does not hold it again', async () => {
    const { ids, to, payout } = await owed();
    await contradict(ids.projectId);
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'held');
    assert.equal(await world.balance(to.address), 0);
    await retry(payout.id);
    await contradict(ids.projectId);
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
    assert.equal(await world.balance(to.address), 3 * USDC);
  });

  it('holds what the project owes later, and what waited for a wallet', async () => {
    const { ids, to } = await owed({ wallet: false });
    await contradict(ids.projectId);
    assert.equal((await world.payout(ids.projectId)).state, 'waiting');
    await db`
      update agents set wallet_address = ${to.address}, wallet_proven = true, wallet_linked_at = ${deps.clock.now()}
      where id = ${ids.agentId}`;
    const later = await world.project();
    await contradict(later.projectId);
    await world.award(later, 3 * USDC, to);
    await world.send();
    for (const { projectId } of [ids, later]) assert.equal((await world.payout(projectId)).state, 'held');
    assert.equal(await world.balance(to.address), 0);
  });

  it('does not sign again what was being sent', async () => {
    const { ids, to, payout } = await owed();
    await world.send({
      ...deps,
      facilitator: { ...deps.facilitator, settle: () => Promise.reject(new Error('down')) },
    });
    await contradict(ids.projectId);
    await world.pass(7_200);
    await world.sweep({ payments: deps.payments });
    assert.deepEqual([(await world.payout(ids.projectId)).state, await world.balance(to.address)], ['sending', 0]);
    assert.equal((await retry(payout.id)).payout.state, 'settled');
    assert.equal(await world.balance(to.address), 3 * USDC);
  });

  it('holds a small share too, and no late payment that goes back: it was never the money of the project', async () => {
    const { ids, to, payout } = await owed();
    await contradict(ids.projectId);
    const owe = (reference: string, debit: string) => db`
      insert into payouts (id, reference, kind, project_id, amount_micro, debit_account, recipient, state, due_at, created_at,
        updated_at, submission_id, agent_id)
      select ${randomUUIDv7()}, ${reference}, 'share', project_id, 1, ${debit}, recipient, 'ready', due_at, created_at,
        updated_at, submission_id, agent_id from payouts where id = ${payout.id}`;
    await owe('test:share', `escrow:${ids.projectId}`);
    await owe('test:late', `payable:${to.address}`);
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
  const ctx = { ...deps, caller: { kind: 'operator' } } as unknown as Context<OperatorCaller>;
  const retry = (payoutId: string) =>
    retryPayout(ctx, { params: { payout_id: payoutId }, body: { reason: 'Asked for' } });

  async function owed() {
    const ids = await world.project();
    await world.award(ids, 3 * USDC, await world.wallet(0));
    return { ids, payout: await world.payout(ids.projectId) };
  }

  it('exempts a held payout from the caps, and no other payout', async () => {
    const { ids, payout } = await owed();
    const capped = world.caps(USDC, 1_000 * USDC);
    // The sender has not checked this payout yet, so nothing says that it exceeds a cap.
    assert.equal((await retry(payout.id)).payout.state, 'ready');
    await world.send(capped);
    assert.equal((await world.payout(ids.projectId)).state, 'held');
    assert.equal((await retry(payout.id)).message, 'The payout is sent next.');
    await world.send(capped);
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
  });

  it('names the reason if nothing is sent because of a ledger mismatch', async () => {
    const { payout } = await owed();
    await db`insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
      values (${randomUUIDv7()}, ${deps.clock.now()}, true, false, ${['USDC left without a row']}, 1)`;
    assert.match((await retry(payout.id)).message, /^Payouts are stopped .*USDC left without a row$/);
  });
});

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Facilitator } from '../x402/types.ts';
import { faulty } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { payoutNonce, prizeReference } from './references.ts';
import { toldEvents } from '../../test/support/told-events.ts';

const USDC = 1_000_000;

describe('sending payouts', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const newWallet = () => world.wallet(0);
  /** Replaces one call of the facilitator. The ledger and the chain are real. */
  const by = (settle: (real: Facilitator['settle']) => Facilitator['settle']) =>
    world.with({ facilitator: faulty(deps.facilitator, settle) });
  const paymentOf = async (payoutId: string) => (await world.rows(payoutId))[0];
  /** Stores a ledger check that is newer than all others. */
  const recordCheck = async (matches: boolean) =>
    await db`insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
      select ${randomUUIDv7()}, greatest(${deps.clock.now()}, max(checked_at) + interval '1 ms'), true, ${matches},
        ${matches ? [] : ['the treasury holds too little']}, 1 from ledger_checks`;

  // This test runs first: the public client signs with the real time, and later tests advance the clock.
  it('refunds a payment that its subject no longer accepts', async () => {
    const payer = await world.owedRefund();
    assert.equal(await world.balance(payer.address), 0);
    await world.send();
    assert.equal(await world.balance(payer.address), USDC);
    const [refund] =
      await db`select kind, state, debit_account, recipient from payouts where recipient = ${payer.address}`;
    assert.deepEqual(
      { ...refund },
      {
        kind: 'refund',
        state: 'settled',
        debit_account: `payable:${payer.address}`,
        recipient: payer.address,
      },
    );
    // Refunds have their own daily cap, so this refund does not reduce what prizes can use.
    const { projectId } = await world.owed();
    await world.send(world.caps(1_000 * USDC, USDC));
    assert.equal((await world.payout(projectId)).state, 'settled');
  });

  it('pays a prize once, books it, and calls the settled handler', async () => {
    const { projectId, winner } = await world.owed(4_750_000);
    await world.send();
    await world.send();
    const payout = await world.payout(projectId);
    assert.equal(payout.state, 'settled');
    assert.equal(await world.balance(winner.address), 4_750_000);
    assert.equal((await world.rows(payout.id)).length, 1);
    assert.equal((await paymentOf(payout.id))?.txHash, payout.txHash);
    const settled = world.settledPayouts.filter(({ id }) => id === payout.id);
    assert.deepEqual(
      settled.map(({ recipient, amountMicro, txHash }) => ({ recipient, amountMicro, txHash })),
      [{ recipient: winner.address, amountMicro: 4_750_000, txHash: payout.txHash }],
    );
    const entries = await db<{ account: string; amount: number }[]>`
      select account_id as account, e.amount_micro as amount from ledger_entries e
      join ledger_journals j on j.id = e.journal_id join payments p on p.id = j.payment_id
      where p.subject_id = ${payout.id} order by account_id`;
    assert.deepEqual(
      entries.map((entry) => ({ ...entry })),
      [
        { account: `escrow:${projectId}`, amount: 4_750_000 },
        { account: 'treasury', amount: -4_750_000 },
      ],
    );
  });

  it('owes each reference once, even if it is owed several times', async () => {
    const { winner, ...ids } = await world.owed();
    await world.award(ids, 2 * USDC, await newWallet());
    await world.send();
    await world.award(ids, USDC, winner);
    const rows = await db`select state, amount_micro as micro from payouts where project_id = ${ids.projectId}`;
    assert.deepEqual([...rows], [{ state: 'settled', micro: USDC }]);
  });

  it('waits for a wallet, and sends to the wallet that is linked later', async () => {
    const [ids, winner] = [await world.project(), await newWallet()];
    await world.award(ids, USDC);
    await world.send();
    assert.deepEqual(
      [(await world.payout(ids.projectId)).state, (await world.payout(ids.projectId)).recipient],
      ['waiting', null],
    );
    // A declared wallet is not a linked wallet.
    await db`update agents set wallet_address = ${winner.address} where id = ${ids.agentId}`;
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'waiting');
    await db`update agents set wallet_linked_at = now() where id = ${ids.agentId}`;
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('retries while the treasury lacks funds, and shows the reason', async () => {
    const [held, winner] = [await world.balance(world.payTo), await newWallet()];
    // The prize exceeds the treasury's USDC, although the ledger contains it.
    const rich = await world.project({ prizeMicro: held + 50 * USDC, inTreasury: false });
    await world.award(rich, held + 50 * USDC, winner);
    await world.send(world.caps(1e15, 1e15));
    const payout = await world.payout(rich.projectId);
    assert.equal(payout.state, 'sending');
    assert.match((await paymentOf(payout.id))?.error ?? '', /insufficient|simulation/);
    await world.pass(60);
    await world.sweep({ payments: deps.payments });
    assert.equal((await world.payout(rich.projectId)).state, 'sending');
    assert.equal(await world.balance(winner.address), 0);
    await world.mintUsdc(world.payTo, 200 * USDC);
    await world.pass(700);
    await world.sweep({ payments: deps.payments });
    assert.equal((await world.payout(rich.projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), held + 50 * USDC);
  });

  // A transfer out never ends by what the facilitator says. Its other faults are those of every settlement.
  for (const [name, fault] of Object.entries<(real: Facilitator['settle']) => Facilitator['settle']>({
    'rejects the payment after the broadcast': (real) => async (payment) => {
      await real(payment);
      return { success: false, errorReason: 'insufficient_funds', transaction: '' };
    },
    'reports success without a broadcast': () => async () => ({ success: true, transaction: `0x${'ab'.repeat(32)}` }),
  })) {
    it(`pays once if the facilitator ${name}`, async () => {
      const { projectId, winner } = await world.owed();
      await world.send(by(fault));
      for (let round = 0; round < 3; round += 1) {
        await world.pass(60);
        await world.send();
        await world.sweep({ payments: deps.payments });
      }
      assert.equal((await world.payout(projectId)).state, 'settled');
      assert.equal(await world.balance(winner.address), USDC);
    });
  }

  it('signs again after the authorization has expired, with the same nonce, amount, and address', async () => {
    const { projectId, winner } = await world.owed();
    const down = by(() => async () => {
      throw new Error('down');
    });
    await world.send(down);
    const payout = await world.payout(projectId);
    const read = async () =>
      (await db`select auth_nonce, valid_before, pay_to from payments where subject_id = ${payout.id}`)[0]!;
    const before = await read();
    await world.pass(2 * 3600);
    await world.sweep({ payments: deps.payments, facilitator: down.facilitator });
    const renewed = await read();
    assert.ok(renewed['valid_before'] > before['valid_before']);
    assert.deepEqual([renewed['auth_nonce'], renewed['pay_to']], [before['auth_nonce'], before['pay_to']]);
    assert.equal(renewed['auth_nonce'], payoutNonce(prizeReference(projectId)));
    await world.pass(2 * 3600);
    await world.sweep({ payments: deps.payments });
    assert.equal((await world.payout(projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('never pays twice, even after the payout row was lost', async () => {
    const { winner, ...ids } = await world.owed();
    await world.send();
    await db.begin(async (tx) => {
      await tx`alter table payouts disable trigger payout_is_fixed`;
      await tx`delete from payouts where project_id = ${ids.projectId}`;
      await tx`alter table payouts enable trigger payout_is_fixed`;
    });
    await world.award(ids, USDC, winner);
    await world.send();
    const payout = await world.payout(ids.projectId);
    assert.deepEqual(
      [payout.state, payout.note],
      ['held', 'a payment with this nonce already exists; an operator must check it'],
    );
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('tells the operator that the nonce of a payout is spent, and pays nothing in its place', async () => {
    const { projectId, winner } = await world.owed();
    const authorization = async () => ({ state: 'void' as const });
    const down = by(() => () => Promise.reject(new Error('down')));
    await world.send({ ...down, chain: { ...down.chain, authorization } });
    const { id, state } = await world.payout(projectId);
    assert.equal(state, 'sending');
    const [payment] = await world.rows(id);
    assert.equal(
      (await toldEvents(db, 'ALERT', { alert: 'payout_nonce_spent', subject: `payment:${payment?.id}` })).length,
      1,
    );
    assert.equal(await world.balance(winner.address), 0);
  });

  it('sends nothing while the newest ledger check has a mismatch', async () => {
    const { projectId } = await world.owed();
    await recordCheck(false);
    await world.send();
    assert.equal((await world.payout(projectId)).state, 'ready');
    await recordCheck(true);
    await world.send();
    assert.equal((await world.payout(projectId)).state, 'settled');
  });

  it('neither settles nor signs again a payout in progress while the ledger has a mismatch', async () => {
    const { projectId, winner } = await world.owed();
    await world.send(
      by(() => async () => {
        throw new Error('down');
      }),
    );
    const payout = await world.payout(projectId);
    const signed = async () => (await db`select valid_before, error from payments where subject_id = ${payout.id}`)[0]!;
    const before = await signed();
    await recordCheck(false);
    await world.pass(60);
    await world.sweep({ payments: deps.payments });
    await world.pass(2 * 3600);
    await world.sweep({ payments: deps.payments });
    assert.deepEqual(
      [(await signed())['valid_before'], (await signed())['error']],
      [before['valid_before'], 'payouts_stopped'],
    );
    assert.equal(await world.balance(winner.address), 0);
    await recordCheck(true);
    await world.pass(2 * 3600);
    await world.sweep({ payments: deps.payments });
    assert.equal((await world.payout(projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });
});

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Facilitator } from '../ports/facilitator.ts';
import { collect, faulty, pay } from '../../test/support/worlds/payment-world.ts';
import { payoutWorld } from '../../test/support/worlds/payouts-world.ts';
import { payoutNonce, prizeReference } from './references.ts';

const USDC = 1_000_000;

describe('sending payouts', async () => {
  const world = await payoutWorld();
  const { db, deps } = world;
  const nobody = () => world.wallet(0);
  /** One facilitator call replaced; the books and the chain are the real ones. */
  const by = (settle: (real: Facilitator['settle']) => Facilitator['settle']) =>
    world.with({ facilitator: faulty(deps.facilitator, settle) });
  const paymentOf = async (payoutId: string) => (await world.rows(payoutId))[0];
  /** Of the books, newer than every other. */
  const recordCheck = async (matches: boolean) =>
    await db`insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
      select ${randomUUIDv7()}, greatest(${deps.clock.now()}, max(checked_at) + interval '1 ms'), true, ${matches},
        ${matches ? [] : ['the treasury holds too little']}, 1 from ledger_checks`;

  // First of all: the public client signs by the real time, which later tests leave behind.
  it('gives money back that came and that nobody takes', async () => {
    const payer = await world.wallet(3 * USDC);
    const quote = world.quote({ amountMicro: USDC });
    const lock = async () => () => ({ refused: 'the project is cancelled' });
    const { entry_fee, escrow } = deps.payments.subjects;
    const subjects = { entry_fee: { ...entry_fee, lock }, escrow: { ...escrow, lock } };
    const of = world.with({ payments: { ...deps.payments, subjects } });
    await assert.rejects(collect(of, quote, await pay(payer, quote)), { code: 'PAYMENT_FAILED' });
    assert.equal(await world.balance(payer.address), 2 * USDC);
    await world.send();
    assert.equal(await world.balance(payer.address), 3 * USDC);
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
    // The refund has a day's cap of its own: it takes nothing from what prizes may move.
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, USDC, winner);
    await world.send(world.caps(1_000 * USDC, USDC));
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
  });

  it('pays a prize once, books it and tells who waits for it', async () => {
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, 4_750_000, winner);
    await world.send();
    await world.send();
    const payout = await world.payout(ids.projectId);
    assert.equal(payout.state, 'settled');
    assert.equal(await world.balance(winner.address), 4_750_000);
    assert.equal((await world.rows(payout.id)).length, 1);
    assert.equal((await paymentOf(payout.id))?.txHash, payout.txHash);
    const told = world.told.filter(({ id }) => id === payout.id);
    assert.deepEqual(
      told.map(({ recipient, amountMicro, txHash }) => ({ recipient, amountMicro, txHash })),
      [{ recipient: winner.address, amountMicro: 4_750_000, txHash: payout.txHash }],
    );
    const entries = await db<{ account: string; amount: number }[]>`
      select account_id as account, e.amount_micro as amount from ledger_entries e
      join ledger_journals j on j.id = e.journal_id join payments p on p.id = j.payment_id
      where p.subject_id = ${payout.id} order by account_id`;
    assert.deepEqual(
      entries.map((entry) => ({ ...entry })),
      [
        { account: `escrow:${ids.projectId}`, amount: 4_750_000 },
        { account: 'treasury', amount: -4_750_000 },
      ],
    );
  });

  it('owes a thing once, however often it is asked to', async () => {
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, USDC, winner);
    await world.award(ids, 2 * USDC, await nobody());
    const rows = await db`select id from payouts where project_id = ${ids.projectId}`;
    assert.equal(rows.length, 1);
    assert.equal((await world.payout(ids.projectId)).amountMicro, USDC);
  });

  it('waits for a wallet, and sends to the one that is linked then', async () => {
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, USDC);
    await world.send();
    assert.deepEqual(
      [(await world.payout(ids.projectId)).state, (await world.payout(ids.projectId)).recipient],
      ['waiting', null],
    );
    // Declared is not linked.
    await db`update agents set wallet_address = ${winner.address} where id = ${ids.agentId}`;
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'waiting');
    await db`update agents set wallet_proven = true where id = ${ids.agentId}`;
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('holds what is over the caps until the operator lets it go', async () => {
    const winner = await nobody();
    const large = await world.project();
    await world.award(large, 3 * USDC, winner);
    await world.send(world.caps(2 * USDC, 1_000 * USDC));
    assert.deepEqual(
      [(await world.payout(large.projectId)).state, (await world.payout(large.projectId)).note],
      ['held', 'over the cap of one transfer'],
    );
    const [first, second] = [await world.project(), await world.project()];
    const [{ sent }] = await db<[{ sent: number }]>`
      select coalesce(sum(amount_micro), 0)::bigint as sent from payouts where sent_at is not null and kind <> 'refund'`;
    for (const ids of [first, second]) await world.award(ids, USDC, winner);
    await world.send(world.caps(1_000 * USDC, sent + 1.5 * USDC));
    const states = [(await world.payout(first.projectId)).state, (await world.payout(second.projectId)).state];
    assert.deepEqual(states.toSorted(), ['held', 'settled']);
    assert.equal(await world.balance(winner.address), USDC);
    await db`update payouts set state = 'ready', released = true where state = 'held'`;
    await world.send(world.caps(1, 1));
    assert.equal(await world.balance(winner.address), 5 * USDC);
  });

  it('keeps trying while the treasury has no funds, and says so', async () => {
    const [held, winner] = [await world.balance(world.payTo), await nobody()];
    // More than the treasury holds, though the books have it.
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

  for (const [name, fault] of Object.entries<(real: Facilitator['settle']) => Facilitator['settle']>({
    'breaks before it broadcasts': () => async () => {
      throw new Error('down');
    },
    'breaks after it broadcast': (real) => async (payment) => {
      await real(payment);
      throw new Error('timeout');
    },
    'says that the broadcast failed, and it did not': (real) => async (payment) => {
      await real(payment);
      return { success: false, errorReason: 'transaction_failed', transaction: '' };
    },
    'refuses although it broadcast': (real) => async (payment) => {
      await real(payment);
      return { success: false, errorReason: 'insufficient_funds', transaction: '' };
    },
    'tells success with nothing sent': () => async () => ({ success: true, transaction: `0x${'ab'.repeat(32)}` }),
  })) {
    it(`pays once when the facilitator ${name}`, async () => {
      const [ids, winner] = [await world.project(), await nobody()];
      await world.award(ids, USDC, winner);
      await world.send(by(fault));
      for (let round = 0; round < 3; round += 1) {
        await world.pass(60);
        await world.send();
        await world.sweep({ payments: deps.payments });
      }
      assert.equal((await world.payout(ids.projectId)).state, 'settled');
      assert.equal(await world.balance(winner.address), USDC);
    });
  }

  it('signs again in place when the authorization is over: same nonce, amount and address', async () => {
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, USDC, winner);
    const down = by(() => async () => {
      throw new Error('down');
    });
    await world.send(down);
    const payout = await world.payout(ids.projectId);
    const read = async () =>
      (await db`select auth_nonce, valid_before, pay_to from payments where subject_id = ${payout.id}`)[0]!;
    const before = await read();
    await world.pass(2 * 3600);
    await world.sweep({ payments: deps.payments, facilitator: down.facilitator });
    const renewed = await read();
    assert.ok(renewed['valid_before'] > before['valid_before']);
    assert.deepEqual([renewed['auth_nonce'], renewed['pay_to']], [before['auth_nonce'], before['pay_to']]);
    assert.equal(renewed['auth_nonce'], payoutNonce(prizeReference(ids.projectId)));
    await world.pass(2 * 3600);
    await world.sweep({ payments: deps.payments });
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('moves the money once when many send at once', async () => {
    const winner = await nobody();
    const projects = await Promise.all(Array.from({ length: 20 }, () => world.project()));
    for (const ids of projects) await world.award(ids, 1_000, winner);
    await Promise.all(Array.from({ length: 4 }, () => world.send()));
    await world.send();
    for (const ids of projects) assert.equal((await world.payout(ids.projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), 20_000);
  });

  it('never pays a second time, even after its row was lost', async () => {
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, USDC, winner);
    await world.send();
    await db.begin(async (tx) => {
      await tx`alter table payouts disable trigger payout_settled_is_final`;
      await tx`delete from payouts where project_id = ${ids.projectId}`;
      await tx`alter table payouts enable trigger payout_settled_is_final`;
    });
    await world.award(ids, USDC, winner);
    await world.send();
    const payout = await world.payout(ids.projectId);
    assert.deepEqual(
      [payout.state, payout.note],
      ['held', 'a payment with its nonce exists already: an operator has to look'],
    );
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('sends nothing while the newest check of the books found a mismatch', async () => {
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, USDC, winner);
    await recordCheck(false);
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'ready');
    await recordCheck(true);
    await world.send();
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
  });

  it('ends between two batches when a check finds a mismatch meanwhile', async () => {
    const winner = await nobody();
    const projects = await Promise.all(Array.from({ length: 20 }, () => world.project()));
    for (const ids of projects) await world.award(ids, 1_000, winner);
    await world.send(
      by((real) => async (payment) => {
        await recordCheck(false);
        return await real(payment);
      }),
    );
    const states = await Promise.all(projects.map(async (ids) => (await world.payout(ids.projectId)).state));
    assert.deepEqual([states.filter((state) => state === 'settled').length, states.at(-1)], [16, 'ready']);
    await recordCheck(true);
    await world.send();
    assert.equal(await world.balance(winner.address), 20_000);
  });

  it('neither settles nor signs again what is on its way while the books do not hold', async () => {
    const [ids, winner] = [await world.project(), await nobody()];
    await world.award(ids, USDC, winner);
    await world.send(
      by(() => async () => {
        throw new Error('down');
      }),
    );
    const payout = await world.payout(ids.projectId);
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
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
    assert.equal(await world.balance(winner.address), USDC);
  });
});

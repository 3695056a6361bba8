import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { withTransaction } from '../db/transaction.ts';
import { execute, now, signPayment } from '../../test/support/money/authorizations.ts';
import { ChainUnavailable } from '../chain/types.ts';
import type { LedgerReport } from './check-ledger.ts';
import { claimOutgoing } from '../payments/sign-payout.ts';
import { settlePayout } from '../payments/settle-now.ts';
import { codeOf, collect, faulty, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { payoutsStopped } from '../ledger/recovery-state.ts';
import { toldEvents } from '../../test/support/told-events.ts';

describe('checkLedger', async () => {
  const world = await paymentWorld();
  const { deps } = world;
  const payer = await world.wallet(10_000_000);

  it('finds no problem in an empty ledger', async () => {
    const report = await world.checkLedger();
    assert.deepEqual([report.balanced, report.chainMatches, report.accounts.length], [true, true, 0]);
  });

  it('matches each transfer with exactly one row, also transfers after the last check', async () => {
    for (const round of [1, 2, 3]) {
      const quote = world.quote();
      await collect(deps, quote, await pay(payer, quote));
      const report = await world.checkLedger();
      assert.deepEqual(report.problems, []);
      assert.equal(report.accounts.find(({ account }) => account === 'treasury')?.balanceMicro, round * 250_000);
    }
  });

  it('accepts transfers of undecided payments, and lists the undecided payments', async () => {
    const quote = world.quote();
    const payment = await signPayment(payer, quote);
    const payments = { ...deps.payments, waitMs: 300 };
    const stuck = world.with({ facilitator: faulty(deps.facilitator, () => () => new Promise(() => {})), payments });
    assert.equal(await codeOf(collect(stuck, quote, payment)), 'PAYMENT_PENDING');
    await execute(world.rpc, payment);
    const report = await world.checkLedger();
    assert.deepEqual(report.problems, []);
    assert.deepEqual(
      report.unknownPayments.map(({ subjectId }) => subjectId),
      [quote.subjectId],
    );
    await world.sweep({ clock: { now: () => new Date(Date.now() + 31_000) } });
    const after = await world.checkLedger();
    assert.deepEqual([after.problems, after.unknownPayments], [[], []]);
  });

  it('reports a settled payment whose transfer is not on chain', async () => {
    const quote = world.quote();
    await collect(deps, quote, await pay(payer, quote));
    const [row] = await world.rows(quote.subjectId);
    // The chain without that transfer, as after a reorganization.
    const transfersOf: typeof deps.chain.transfersOf = async (...range) =>
      (await deps.chain.transfersOf(...range)).filter(({ txHash }) => txHash !== row?.txHash);
    const report = await world.checkLedger({ ...deps.chain, transfersOf });
    assert.equal(report.chainMatches, false);
    assert.equal(report.balanced, true);
    assert.match(report.problems.join(), new RegExp(`payment ${row?.id} is settled, but its transfer`));
    const [alert] = await toldEvents(deps.db, 'ALERT', { alert: 'ledger_mismatch' });
    assert.ok(alert);
    assert.deepEqual((await world.checkLedger()).problems, []);
  });

  it('reports nothing that a second look at the same block does not confirm', async () => {
    const quote = world.quote();
    await collect(deps, quote, await pay(payer, quote));
    let asked = 0;
    // As a node that mines the next block while it answers: the first balance has more than the transfers up to the block.
    const balanceMicro: typeof deps.chain.balanceMicro = async (...at) => {
      asked += 1;
      return (await deps.chain.balanceMicro(...at)) + (asked === 1 ? 1_900_000 : 0);
    };
    const report = await world.checkLedger({ ...deps.chain, balanceMicro });
    assert.deepEqual([report.problems, report.chainMatches, asked], [[], true, 2]);
    assert.equal(report.chainMicro, report.treasuryMicro);
    assert.equal(await payoutsStopped(deps.db), null);
  });

  it('matches outgoing transfers, also those that are on chain and not booked yet', async () => {
    const quote = world.quote();
    await collect(deps, quote, await pay(payer, quote));
    const recipient = (await world.wallet(0)).address;
    const nonce = `0x${'1a'.repeat(32)}` as const;
    const transfer = { kind: 'payout' as const, subjectId: quote.subjectId, recipient, amountMicro: 100_000, nonce };
    const from = await deps.chain.searchStart();
    const claimed = await withTransaction(deps.db, (tx) => claimOutgoing({ ...deps, network }, tx, transfer, from));
    assert.ok(claimed);
    const silent = faulty(deps.facilitator, (settle) => async (payment) => {
      await settle(payment);
      throw new Error('the connection was cut');
    });
    const blind = { ...deps.chain, transaction: unavailable, authorization: unavailable };
    await settlePayout(world.with({ facilitator: silent, chain: blind }), claimed);
    const report = await world.checkLedger();
    assert.deepEqual([report.problems, report.unknownPayments.map(({ kind }) => kind)], [[], ['payout']]);
    await world.sweep({ clock: { now: () => new Date(Date.now() + 31_000) } });
    const after = await world.checkLedger();
    assert.deepEqual([after.problems, after.unknownPayments], [[], []]);
    assert.equal(await deps.chain.balanceMicro(recipient), 100_000);
    assert.equal(balance(after, 'treasury'), balance(report, 'treasury') - 100_000);
  });

  it('books a transfer from a stranger as a stray, once its block is final, and only once', async () => {
    await world.mintUsdc(world.payTo, 7);
    const before = await deps.chain.blockNumber();
    const early = await world.checkLedger({ ...deps.chain, finalBlock: async () => before - 1 });
    assert.deepEqual([early.problems, early.strays], [[], { count: 0, amountMicro: 0 }]);
    assert.deepEqual([...(await deps.db`select * from stray_transfers`)], []);
    const both = await Promise.all([world.checkLedger(), world.checkLedger()]);
    assert.deepEqual(
      both.map(({ problems }) => problems),
      [[], []],
    );
    const report = await world.checkLedger();
    assert.deepEqual([report.problems, report.strays], [[], { count: 1, amountMicro: 7 }]);
    assert.equal(balance(report, 'stray'), 7);
    const [booked] = await deps.db`select count(*) as count from ledger_journals where kind = 'stray_transfer'`;
    assert.equal(booked?.['count'], 1);
    const alerts = await toldEvents(deps.db, 'ALERT', { alert: 'stray_transfer' });
    assert.deepEqual(
      alerts.map(({ data }) => data['details']),
      [{ transfers: 1, amount_micro: 7 }],
    );
    assert.equal(await payoutsStopped(deps.db), null);
  });

  it('assigns a stray to a payment that claims it later, and never books a transfer as both, in either order', async () => {
    const paid = async () => {
      const quote = world.quote();
      const payment = await signPayment(payer, quote);
      await execute(world.rpc, payment);
      return () => collect(deps, quote, payment);
    };
    const claim = await paid();
    const before = await world.checkLedger();
    assert.deepEqual([before.problems, before.strays.count], [[], 2]);
    const { payment: settled } = await claim();
    const after = await world.checkLedger();
    assert.deepEqual([after.problems, after.strays], [[], { count: 1, amountMicro: 7 }]);
    assert.deepEqual([balance(after, 'stray'), balance(after, 'treasury')], [7, balance(before, 'treasury') + 250_000]);
    const [stray] = await deps.db`select payment_id from stray_transfers where tx_hash = ${settled.txHash}`;
    assert.equal(stray?.['payment_id'], settled.id);
    for (let round = 0; round < 5; round += 1) {
      const claimNow = await paid();
      const [report] = await Promise.all([world.checkLedger(), claimNow(), world.checkLedger()]);
      assert.deepEqual(report.problems, []);
      const { problems, strays } = await world.checkLedger();
      assert.deepEqual([problems, strays], [[], { count: 1, amountMicro: 7 }]);
    }
  });

  it('throws if the chain does not respond, and keeps the newest result', async () => {
    const [before] = await deps.db`select count(*) as count from ledger_checks`;
    await assert.rejects(world.checkLedger({ ...deps.chain, transfersOf: unavailable }), ChainUnavailable);
    const [after] = await deps.db`select count(*) as count from ledger_checks`;
    assert.equal(after?.['count'], before?.['count']);
  });

  it('reports an outgoing transfer without a payment, and stops payouts until it is explained', async () => {
    const recipient = (await world.wallet(0)).address;
    const signed = await deps.treasury.authorize({
      kind: 'payout',
      subjectId: randomUUIDv7(),
      network: network.id,
      asset: network.usdc.address,
      recipient,
      amountMicro: 3,
      nonce: `0x${'3c'.repeat(32)}`,
      validBefore: now() + 300,
    });
    await deps.facilitator.settle(signed);
    for (const report of [await world.checkLedger(), await world.checkLedger()]) {
      assert.deepEqual([report.balanced, report.chainMatches], [true, false]);
      assert.match(
        report.problems.join(),
        /transfer 0x[0-9a-f]{64}:\d+ of 3 from 0x[0-9a-f]{40} to 0x[0-9a-f]{40} matches/,
      );
      assert.match(report.problems.join(), /the treasury holds \d+ on chain at block \d+, the ledger says \d+/);
    }
    assert.match((await payoutsStopped(deps.db)) ?? '', /of 3 from/);
  });
});

async function unavailable(): Promise<never> {
  throw new ChainUnavailable();
}

function balance(report: LedgerReport, name: string): number {
  return report.accounts.find(({ account }) => account === name)?.balanceMicro ?? 0;
}

describe('a treasury that received USDC before the service started', async () => {
  const world = await paymentWorld();
  const { chain } = world.deps;
  // As on a real network: the search covers the blocks of one hour, and the transfer is older.
  const young = { ...chain, searchStart: () => chain.blockNumber() };

  it('books the USDC as a stray, and can be checked from then on', async () => {
    await world.mintUsdc(world.payTo, 7);
    await world.mine();
    const first = await world.checkLedger(young);
    assert.deepEqual([first.problems, first.strays], [[], { count: 1, amountMicro: 7 }]);
    // Simulates a process that died before it stored the scanned block.
    await world.db`delete from treasury_scans`;
    assert.deepEqual((await world.checkLedger(young)).problems, []);
    const quote = world.quote();
    await collect(world.with({ chain: young }), quote, await pay(await world.wallet(1_000_000), quote));
    await world.mintUsdc(world.payTo, 5);
    for (const check of [await world.checkLedger(young), await world.checkLedger(young)]) {
      assert.deepEqual(check.problems, []);
      assert.equal(check.chainMatches, true);
      assert.equal(check.strays.amountMicro, 12);
    }
  });
});

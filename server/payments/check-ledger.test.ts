import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execute, sendNothing, signPayment } from './authorization-suite.ts';
import { codeOf, collect, faulty, pay, paymentWorld } from './payment-suite.ts';

describe('checkLedger', async () => {
  const world = await paymentWorld();
  const { deps } = world;
  const payer = await world.wallet(10_000_000);

  it('is content with empty books', async () => {
    const report = await world.checkLedger();
    assert.deepEqual([report.balanced, report.chainMatches, report.accounts.length], [true, true, 0]);
  });

  it('finds every transfer in exactly one row, also those after the last check', async () => {
    for (const round of [1, 2, 3]) {
      const quote = world.quote();
      await collect(deps, quote, await pay(payer, quote));
      const report = await world.checkLedger();
      assert.deepEqual(report.problems, []);
      assert.equal(report.accounts.find(({ account }) => account === 'treasury')?.balanceMicro, round * 250_000);
    }
  });

  it('does not call money of an undecided payment a mismatch, and says which payments are undecided', async () => {
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

  it('names a settled payment whose transfer the chain does not know', async () => {
    const quote = world.quote();
    await collect(deps, quote, await pay(payer, quote));
    const [row] = await world.rows(quote.subjectId);
    // The chain without that transfer, as after a reorganisation.
    const transfersTo: typeof deps.chain.transfersTo = async (...range) =>
      (await deps.chain.transfersTo(...range)).filter(({ txHash }) => txHash !== row?.txHash);
    const report = await world.checkLedger({ ...deps.chain, transfersTo });
    assert.equal(report.chainMatches, false);
    assert.equal(report.balanced, true);
    assert.match(report.problems.join(), new RegExp(`payment ${row?.id} is settled, but its transfer`));
    assert.deepEqual((await world.checkLedger()).problems, []);
  });

  it('takes no notice of a transfer of nothing', async () => {
    await sendNothing(world.rpc, world.payTo);
    assert.deepEqual((await world.checkLedger()).problems, []);
  });

  it('names a transfer that no payment explains', async () => {
    await world.mintUsdc(world.payTo, 7);
    const report = await world.checkLedger();
    assert.deepEqual([report.balanced, report.chainMatches], [true, false]);
    assert.match(report.problems.join(), /transfer 0x[0-9a-f]{64}:\d+ of 7 from 0x0{40} matches no payment/);
    assert.match(report.problems.join(), /the treasury holds \d+7 on chain/);
    // It stays a mismatch until somebody explains it.
    assert.match((await world.checkLedger()).problems.join(), /of 7 from/);
  });
});

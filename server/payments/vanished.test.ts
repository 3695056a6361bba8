import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toldEvents } from '../../test/support/told-events.ts';
import { codeOf, collect, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { withTransaction } from '../db/transaction.ts';
import { feesAccount, REVENUE } from '../ledger/accounts.ts';
import { postJournal } from '../ledger/post-journal.ts';
import { vanishedPayments } from './read-queries.ts';

it('takes a settled payment back when its transfer vanishes from the chain, and settles it again', async () => {
  const world = await paymentWorld();
  const { db, rpc, deps } = world;
  const [quote, other] = [world.quote(), world.quote()];
  const payer = await world.wallet(1_000_000);
  const payment = await pay(payer, quote);
  await collect(deps, other, await pay(payer, other));
  const fork = await rpc('evm_snapshot', []);
  await collect(deps, quote, payment);
  // A part of its money has moved on: revenue pays for that.
  await withTransaction(db, (tx) =>
    postJournal(tx, {
      id: deps.newId(),
      kind: 'completion',
      paymentId: null,
      at: new Date(),
      lines: [
        { account: feesAccount(quote.subjectId), amountMicro: 100_000 },
        { account: REVENUE, amountMicro: -100_000 },
      ],
    }),
  );
  await rpc('evm_revert', [fork]);
  await rpc('anvil_mine', ['0x5']);

  // Another check takes it back while this one asks the chain for it, and so tells of it.
  let faster: Promise<unknown> | null = null;
  const report = await world.checkLedger({
    ...deps.chain,
    async authorization(query) {
      await (faster ??= world.checkLedger());
      return await deps.chain.authorization(query);
    },
  });
  assert.ok(faster);
  assert.deepEqual([report.problems, report.balanced, report.chainMatches], [[], true, true]);
  assert.deepEqual(
    report.unknownPayments.map(({ subjectId, error }) => [subjectId, error]),
    [[quote.subjectId, 'transfer_vanished']],
  );
  const [vanished] = await vanishedPayments(db);
  const alerts = await toldEvents(db, 'ALERT', { alert: 'ledger_mismatch', subject: `payment:${vanished?.id}` });
  assert.equal(alerts.length, 1);
  assert.ok(world.alerts.includes('payment_vanished'));
  assert.equal(vanished?.account, feesAccount(quote.subjectId));
  const balance = async () =>
    (await db`select balance_micro from ledger_accounts where id = ${feesAccount(quote.subjectId)}`)[0]?.balance_micro;
  assert.equal(await balance(), 0);

  // Its subject would take no new payment any more.
  const lock = async () => () => ({ refused: 'the project has ended' });
  const again: string[] = [];
  const settledAgain = async (_tx: unknown, { subjectId }: { subjectId: string }) => {
    again.push(subjectId);
    return null;
  };
  const ended = { ...deps.payments.subjects.entry_fee, lock, settledAgain };
  await world.sweep({ payments: { ...deps.payments, subjects: { ...deps.payments.subjects, entry_fee: ended } } });
  const [row] = await world.rows(quote.subjectId);
  assert.deepEqual([row?.state, row?.late, again], ['settled', false, [quote.subjectId]]);
  assert.equal(await balance(), 150_000);
  assert.equal((await vanishedPayments(db)).length, 0);
  assert.deepEqual(
    (
      await db<{ kind: string }[]>`
        select j.kind from ledger_journals j join payments p on p.id = j.payment_id
        where p.subject_id = ${quote.subjectId} order by booking`
    ).map(({ kind }) => kind),
    ['entry_fee', 'reversal', 'entry_fee'],
  );
  assert.equal(await deps.chain.balanceMicro(payer.address), 500_000);
  assert.deepEqual((await world.checkLedger()).problems, []);
});

it('does not book a transfer of a block that was matched without it, whatever a node says', async () => {
  const world = await paymentWorld();
  const { db, deps } = world;
  const quote = world.quote();
  const payment = await pay(await world.wallet(1_000_000), quote);
  const unanswered = { ...deps.facilitator, settle: () => Promise.reject(new Error('no answer')) };
  const hasty = { ...deps.payments, waitMs: 0 };
  assert.equal(
    await codeOf(collect(world.with({ facilitator: unanswered, payments: hasty }), quote, payment)),
    'PAYMENT_PENDING',
  );
  await db`insert into treasury_scans values (${quote.network}, ${quote.payTo}, ${quote.asset}, 7)`;
  const onFork = { state: 'paid', txHash: `0x${'f'.repeat(64)}`, logIndex: 1, blockNumber: 7 } as const;
  const late = { now: () => new Date(Date.now() + 60_000) };
  const forked = { ...deps.chain, authorization: async () => onFork };
  await world.sweep({ chain: forked, clock: late });
  assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settling');
  // The first block after the matched ones.
  const later = { ...deps.chain, authorization: async () => ({ ...onFork, blockNumber: 8 }) };
  await world.sweep({ chain: later, clock: { now: () => new Date(Date.now() + 600_000) } });
  assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settled');
});

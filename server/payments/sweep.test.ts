import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cancel, execute, now, signPayment, useWithoutEvent } from '../../test/support/money/authorizations.ts';
import type { PaymentDeps } from './deps.ts';
import {
  codeOf,
  collect,
  faulty,
  noHooks,
  pay,
  paymentWorld,
  type Wallet,
} from '../../test/support/worlds/payment-world.ts';
import { PaymentRefused } from '../x402/payment-refused.ts';
import type { PresentedPayment, PaymentQuote } from './types.ts';
import { until } from '../../test/support/processes/processes.ts';
import { toldEvents } from '../../test/support/told-events.ts';

const never = () => new Promise<never>(() => {});
const inSeconds = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) });

describe('sweepPayments', async () => {
  const world = await paymentWorld();
  const { deps } = world;
  const hasty = { ...deps.payments, waitMs: 200 };
  // The claim comes before the wait, and nothing comes after it.
  const stuck = { payments: { ...hasty, waitMs: 0 }, facilitator: faulty(deps.facilitator, () => never) };

  // A killed process answers no request and runs no code: its calls never return.
  const deaths: Record<string, { row: string | null; dying: Partial<PaymentDeps>; claim?: () => Promise<void> }> = {
    'before the claim': { row: null, dying: {}, claim: () => Promise.reject(new Error('killed')) },
    'after the claim': { row: 'settling', dying: stuck },
    'after settle broadcast': {
      row: 'settling',
      dying: {
        facilitator: faulty(deps.facilitator, (real) => async (payment) => {
          await real(payment);
          return await never();
        }),
      },
    },
    'before booking': {
      row: 'settling',
      dying: {
        // Like a remote facilitator: without a proof, the service looks the transaction up.
        facilitator: faulty(deps.facilitator, (real) => async (payment) => {
          const { success, transaction } = await real(payment);
          return { success, transaction };
        }),
        chain: { ...deps.chain, transaction: never, authorization: never },
      },
    },
    'while booking': {
      row: 'settling',
      dying: {
        payments: {
          ...hasty,
          subjects: {
            ...hasty.subjects,
            entry_fee: { ...hasty.subjects.entry_fee, lock: () => Promise.reject(new Error('killed')) },
          },
        },
      },
    },
  };
  for (const [window, { row, dying, claim }] of Object.entries(deaths)) {
    for (const retry of ['the same payment', 'a new one', 'the sweeper alone'] as const) {
      it(`after a crash ${window} and then ${retry}, takes and books one fee`, async () => {
        const quote = world.quote();
        const payer = await world.wallet(1_000_000);
        const payment = await pay(payer, quote);
        const dead = world.with({ payments: hasty, ...dying });
        await assert.rejects(
          collect(dead, quote, payment, claim ? { claim } : noHooks),
          row ? { code: 'PAYMENT_PENDING' } : Error,
        );
        const [left] = await world.rows(quote.subjectId);
        assert.equal(left?.state ?? null, row);
        const told = () => toldEvents(deps.db, 'ALERT', { subject: `payment:${left?.id}` });
        if (window === 'while booking') await until('the alert', async () => (await told()).length === 1);
        // The first process may still be settling: no other one does so before its lease runs out.
        if (dying === stuck)
          assert.equal(await codeOf(collect(world.with({ payments: hasty }), quote, null)), 'PAYMENT_PENDING');
        const later = world.with({ clock: inSeconds(31) });
        if (retry === 'the sweeper alone') await world.sweep({ clock: inSeconds(31) });
        if (retry !== 'the sweeper alone' || row === null) {
          await collect(later, quote, retry === 'a new one' ? await pay(payer, quote) : payment);
        }
        assert.deepEqual(
          (await world.rows(quote.subjectId)).map(({ state }) => state),
          ['settled'],
        );
        assert.equal(await deps.chain.balanceMicro(payer.address), 750_000);
        assert.deepEqual((await world.checkLedger()).problems, []);
      });
    }
  }

  it('settles each payment once when several processes sweep', async () => {
    const quotes = Array.from({ length: 6 }, () => world.quote());
    const payer = await world.wallet(6 * 250_000);
    await Promise.all(quotes.map((quote) => leaveUnsettled(payer, quote)));
    let settles = 0;
    const counting = faulty(deps.facilitator, (real) => (payment) => {
      settles += 1;
      return real(payment);
    });
    await Promise.all([1, 2, 3].map(() => world.sweep({ facilitator: counting, clock: inSeconds(31) })));
    assert.equal(settles, 6);
    for (const quote of quotes) assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settled');
  });

  it('delays no other payment because of a broken row, and retries that row with backoff', async () => {
    const payer = await world.wallet(3_000_000);
    const broken = await Promise.all(Array.from({ length: 5 }, async () => await leaveUnsettled(payer, world.quote())));
    const good = world.quote();
    await leaveUnsettled(payer, good);
    const nonces = new Set(broken.map(({ authorization }) => authorization.nonce));
    let asked = 0;
    const authorization: typeof deps.chain.authorization = (query) => {
      if (!nonces.has(query.nonce)) return deps.chain.authorization(query);
      asked += 1;
      return Promise.reject(new TypeError('an unreadable row'));
    };
    const sick = { chain: { ...deps.chain, authorization } };
    await world.sweep({ ...sick, clock: inSeconds(31) });
    assert.equal((await world.rows(good.subjectId))[0]?.state, 'settled');
    assert.equal(asked, 5);
    for (const [seconds, times] of [
      [35, 5],
      [42, 10],
      [55, 10],
      [63, 15],
    ] as const) {
      await world.sweep({ ...sick, clock: inSeconds(seconds) });
      assert.equal(asked, times, `after ${seconds} s`);
    }
    await world.sweep({ clock: inSeconds(3600) });
  });

  it('resolves a payment whose times come from a clock that was set back, and no other before its time', async () => {
    const payer = await world.wallet(1_000_000);
    const later = async (column: 'lease_until' | 'sweep_at', quote: PaymentQuote, minutes: number) =>
      await deps.db`
        update payments set ${deps.db(column)} = ${inSeconds(60 * minutes).now()} where subject_id = ${quote.subjectId}`;
    const [leased, postponed, waiting, asked] = [world.quote(), world.quote(), world.quote(), world.quote()];
    for (const quote of [leased, postponed, waiting]) await leaveUnsettled(payer, quote);
    const payment = await leaveUnsettled(payer, asked);
    await later('lease_until', leased, 24 * 60);
    await later('lease_until', asked, 24 * 60);
    await later('sweep_at', postponed, 24 * 60);
    // The longest pause of the sweeper's backoff.
    await later('sweep_at', waiting, 10);
    // A request that waits for the outcome takes the lease, too.
    await collect(deps, asked, payment);
    await world.sweep({ clock: inSeconds(31) });
    const states = async () =>
      await Promise.all(
        [leased, postponed, asked, waiting].map(async ({ subjectId }) => (await world.rows(subjectId))[0]?.state),
      );
    assert.deepEqual(await states(), ['settled', 'settled', 'settled', 'settling']);
    await later('sweep_at', waiting, 0);
    await world.sweep({ clock: inSeconds(31) });
    assert.deepEqual(await states(), ['settled', 'settled', 'settled', 'settled']);
  });

  it('books a refused payment that executes late as owed back to its payer', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const first = await signPayment(payer, quote);
    assert.equal(await codeOf(collect(refusing(), quote, first)), 'PAYMENT_FAILED');
    const { payment: counted } = await collect(deps, quote, await pay(payer, quote));
    await execute(world.rpc, first);
    // Money that has arrived and is not booked yet is no mismatch.
    assert.deepEqual((await world.checkLedger()).problems, []);
    assert.equal((await world.sweep({ clock: inSeconds(61) })).settled, 1);
    const rows = await world.rows(quote.subjectId);
    assert.deepEqual(
      rows.map(({ state, late }) => [state, late]),
      [
        ['settled', true],
        ['settled', false],
      ],
    );
    await isOwedBack(payer);
    assert.equal((await collect(deps, quote, null)).payment.id, counted.id);
    assert.equal(await codeOf(collect(deps, world.quote(), first)), 'PAYMENT_FAILED');
  });

  it('owes the money back when the subject no longer takes it', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const lock = async () => () => ({ refused: 'the project is cancelled' });
    const { entry_fee, escrow } = deps.payments.subjects;
    const subjects = { entry_fee: { ...entry_fee, lock }, escrow: { ...escrow, lock } };
    const payments = { ...deps.payments, subjects };
    const payment = await pay(payer, quote);
    // A retry gets the same response, and learns that it may sign a new payment: the money came and is owed back.
    for (const once of [world.with({ payments }), deps]) {
      const refused = await collect(once, quote, payment).catch((error: unknown) => error);
      assert.ok(refused instanceof PaymentRefused);
      assert.match(refused.message, /owed back/);
      assert.deepEqual([refused.receipt?.success, 'authorization_failed' in refused.about], [true, once === deps]);
    }
    const [row] = await world.rows(quote.subjectId);
    assert.deepEqual([row?.state, row?.late, row?.error], ['settled', true, 'the project is cancelled']);
    const { payment: next } = await collect(deps, quote, await pay(payer, quote));
    assert.deepEqual([next.state, next.late], ['settled', false]);
    await isOwedBack(payer);
  });

  it('never books an authorization that the payer cancels during the settlement', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const payment = await signPayment(payer, quote);
    const overtaken = faulty(deps.facilitator, (real) => async (signed) => {
      await cancel(world.rpc, payer, payment.authorization.nonce);
      return await real(signed);
    });
    assert.equal(await codeOf(collect(world.with({ facilitator: overtaken }), quote, payment)), 'PAYMENT_FAILED');
    assert.equal((await world.rows(quote.subjectId))[0]?.state, 'failed');
    assert.equal(await codeOf(collect(deps, quote, null)), 'PAYMENT_REQUIRED');
    assert.equal(await deps.chain.balanceMicro(payer.address), 1_000_000);
  });

  it('watches a payment whose nonce is spent in a block that is not final', async () => {
    const quote = world.quote();
    const facilitator = faulty(deps.facilitator, () => () => Promise.reject(new Error('no answer')));
    const chain = { ...deps.chain, authorization: async () => ({ state: 'void' as const }) };
    const payment = await pay(await world.wallet(1_000_000), quote);
    assert.equal(await codeOf(collect(world.with({ facilitator, chain }), quote, payment)), 'PAYMENT_FAILED');
    assert.equal((await world.rows(quote.subjectId))[0]?.watched, true);
  });

  it('alerts and decides nothing when a nonce is used and no event says what used it', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const payment = await signPayment(payer, quote);
    const strange = faulty(deps.facilitator, (real) => async (signed) => {
      await useWithoutEvent(world.rpc, payer.address, payment.authorization.nonce);
      return await real(signed);
    });
    const broken = world.with({ facilitator: strange, payments: hasty });
    assert.equal(await codeOf(collect(broken, quote, payment)), 'PAYMENT_PENDING');
    // The request waits 200 ms. On a slow machine the chain's answer, and with it the alert, comes later.
    await until('the alert', async () => world.alerts.includes('payment_foreign'));
    const [began, later] = [deps.clock.now(), inSeconds(3600)];
    await world.sweep({ clock: later });
    const [row] = await world.rows(quote.subjectId);
    assert.deepEqual([row?.state, row?.error], ['settling', 'used_without_event']);
    const alerts = await toldEvents(deps.db, 'ALERT', { alert: 'payment_foreign', subject: `payment:${row?.id}` });
    assert.equal(alerts.length, began.getUTCDate() === later.now().getUTCDate() ? 1 : 2);
    const { unknownPayments } = await world.checkLedger();
    assert.ok(unknownPayments.some(({ subjectId }) => subjectId === quote.subjectId));
  });

  it('gives up a payment of unknown outcome only when it can no longer execute', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    await leaveUnsettled(payer, quote, await signPayment(payer, quote, { validBefore: now() + 300 }));
    const broken = { facilitator: faulty(deps.facilitator, () => () => Promise.reject(new Error('timeout'))) };
    await world.sweep({ ...broken, clock: inSeconds(31) });
    assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settling');
    await world.pass(400);
    await world.sweep(broken);
    const [row] = await world.rows(quote.subjectId);
    assert.deepEqual([row?.state, row?.watched, row?.error], ['failed', false, 'authorization_lapsed']);
    assert.equal(await codeOf(collect(deps, quote, null)), 'PAYMENT_REQUIRED');
  });

  it('watches a refused payment until it can no longer execute', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const payment = await signPayment(payer, quote, { validBefore: now() + 1_000 });
    assert.equal(await codeOf(collect(refusing(), quote, payment)), 'PAYMENT_FAILED');
    await world.pass(100);
    await world.sweep();
    assert.equal((await world.rows(quote.subjectId))[0]?.watched, true);
    await world.pass(1_000);
    await world.sweep();
    assert.equal((await world.rows(quote.subjectId))[0]?.watched, false);
  });

  async function isOwedBack({ address }: Wallet): Promise<void> {
    const { accounts, problems } = await world.checkLedger();
    assert.deepEqual(problems, []);
    assert.equal(accounts.find(({ account }) => account === `payable:${address}`)?.balanceMicro, 250_000);
  }

  function refusing(): PaymentDeps {
    const answer = { success: false, errorReason: 'insufficient_funds', transaction: '' };
    return world.with({ facilitator: faulty(deps.facilitator, () => async () => answer) });
  }

  async function leaveUnsettled(payer: Wallet, quote: PaymentQuote, signed?: PresentedPayment) {
    const payment = signed ?? (await signPayment(payer, quote));
    assert.equal(await codeOf(collect(world.with(stuck), quote, payment)), 'PAYMENT_PENDING');
    return payment;
  }
});

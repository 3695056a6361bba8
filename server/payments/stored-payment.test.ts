import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { bookPayment } from './book-payment.ts';
import { createAnswerSeals } from '../idempotency/seals.ts';
import { sealPayment, openPayment } from './sealed-payment.ts';
import { facilitatorPayment } from '../x402/presented-payment.ts';
import { toldEvents } from '../../test/support/told-events.ts';
import {
  codeOf,
  collect,
  faulty,
  noHooks,
  pay,
  paymentWorld,
  testQuote,
} from '../../test/support/worlds/payment-world.ts';
import { until } from '../../test/support/processes/processes.ts';

const seals = createAnswerSeals({ key: randomBytes(32), randomBytes });
const address = `0x${'ab'.repeat(20)}`;
const testedQuote = testQuote(`0x${'cd'.repeat(20)}`);
const signature = `0x${randomBytes(65).toString('hex')}`;
const authorization = {
  from: address,
  to: testedQuote.payTo,
  value: String(testedQuote.amountMicro),
  validAfter: '0',
  validBefore: '1767225600',
  nonce: `0x${'12'.repeat(32)}`,
};

describe('a signed payment in its row', () => {
  for (const x402Version of [1, 2] as const)
    it(`of x402 v${x402Version} opens as it was signed, for no other payment, nor with another key`, () => {
      const presented = {
        x402Version,
        scheme: 'exact',
        network: 'base-sepolia',
        accepted: null,
        authorization,
        signature,
      };
      const signed = facilitatorPayment(testedQuote, presented);
      const id = randomUUIDv7();
      const kept = sealPayment(seals, id, signed);
      const stored = JSON.stringify([kept.payload, kept.requirements]) + kept.signature.toString('hex');
      assert.ok(!stored.includes(signature.slice(2, 40)));
      assert.ok(stored.includes(authorization.nonce));
      // As PostgreSQL returns the row.
      assert.deepEqual(openPayment(seals, id, structuredClone({ ...kept, signature: kept.signature })), signed);
      assert.throws(() => openPayment(seals, randomUUIDv7(), kept));
      const others = createAnswerSeals({ key: randomBytes(32), randomBytes });
      assert.throws(() => openPayment(others, id, kept));
    });
});

const inSeconds = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) });

describe('a payment whose signature does not open, since SECRETS_KEY is another one by now', async () => {
  const world = await paymentWorld();
  const hasty = { ...world.deps.payments, waitMs: 200 };
  const paymentSeals = createAnswerSeals({ key: randomBytes(32), randomBytes });

  it('stays as it is, keeps nobody from going on, and is settled with the key that sealed it', async () => {
    const [sealed, other] = [world.quote(), world.quote()];
    const gone = world.with({
      payments: hasty,
      facilitator: faulty(world.deps.facilitator, () => () => new Promise(() => {})),
    });
    for (const quote of [sealed, other]) {
      const payment = await pay(await world.wallet(1_000_000), quote);
      const dying = quote === other ? { ...gone, paymentSeals } : gone;
      await assert.rejects(collect(dying, quote, payment, noHooks), { code: 'PAYMENT_PENDING' });
    }
    const stateOf = async ({ subjectId }: { subjectId: string }) => (await world.rows(subjectId))[0]?.state;
    await world.sweep({ clock: inSeconds(31), paymentSeals });
    assert.deepEqual([await stateOf(sealed), await stateOf(other)], ['settling', 'settled']);
    await world.sweep({ clock: inSeconds(120) });
    assert.equal(await stateOf(sealed), 'settled');
  });
});

describe('a settled payment', async () => {
  const world = await paymentWorld();
  const { db, deps } = world;

  it('is booked once, also if two processes have found its transfer', async () => {
    const quote = world.quote();
    const { payment } = await collect(deps, quote, await pay(await world.wallet(1_000_000), quote, 2));
    const { id, txHash, logIndex } = payment;
    const again = await bookPayment(deps, payment, { state: 'paid', txHash, logIndex, blockNumber: 1 });
    assert.deepEqual([again?.delivered, again?.payment.settledAt], [false, payment.settledAt]);
    assert.equal((await db`select from ledger_journals where payment_id = ${id}`).length, 1);
  });

  it('tells the operator if its booking fails, and is booked by the next attempt', async () => {
    const quote = world.quote();
    const payment = await pay(await world.wallet(1_000_000), quote);
    const { entry_fee: fee, escrow } = deps.payments.subjects;
    const lock = async () => () => assert.fail('a fault of the booking');
    const subjects = { entry_fee: { ...fee, lock }, escrow };
    const broken = world.with({ payments: { ...deps.payments, subjects, waitMs: 500 } });
    assert.equal(await codeOf(collect(broken, quote, payment)), 'PAYMENT_PENDING');
    const [row] = await world.rows(quote.subjectId);
    const told = { alert: 'payment_not_booked', subject: `payment:${row?.id}` };
    // The request may end before the booking fails.
    await until('the alert', async () => (await toldEvents(world.db, 'ALERT', told)).length === 1);
    assert.ok(world.alerts.includes('payment_not_booked'));
    assert.equal((await collect(deps, quote, payment)).payment.state, 'settled');
  });

  it('cannot be changed or deleted, whatever the change is', async () => {
    const quote = world.quote();
    await collect(deps, quote, await pay(await world.wallet(1_000_000), quote, 2));
    const { id } = (await world.rows(quote.subjectId))[0] ?? assert.fail('no payment');
    const whole = async () => (await db`select to_jsonb(payments) as payment from payments where id = ${id}`)[0];
    const before = await whole();
    const isFinal = { message: `payment ${id} is settled` };
    for (const change of [
      db`signature = null`,
      db`signature = '\\x00'`,
      db`payload = payload #- '{payload,authorization}'`,
      db`payload = jsonb_set(payload, '{payload,signature}', '"0x00"')`,
      db`amount_micro = amount_micro + 1`,
      db`late = true`,
      db`state = 'failed'`,
      db`tx_hash = ${`0x${'1'.repeat(64)}`}`,
      db`log_index = log_index + 1, error = 'moved'`,
    ])
      await assert.rejects(db`update payments set ${change} where id = ${id}`, isFinal);
    await assert.rejects(db`delete from payments where id = ${id}`, isFinal);
    assert.deepEqual(await whole(), before);
    // A reorganization can move its transaction.
    await db`update payments set log_index = log_index + 1, block_number = block_number + 1 where id = ${id}`;
  });
});

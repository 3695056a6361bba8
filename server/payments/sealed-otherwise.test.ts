import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { createAnswerSeals } from '../idempotency/seals.ts';
import { collect, faulty, noHooks, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';

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

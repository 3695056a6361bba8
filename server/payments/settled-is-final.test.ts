import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';

describe('a settled payment', async () => {
  const world = await paymentWorld();
  const { db, deps } = world;

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

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { toldEvents } from '../../test/support/told-events.ts';
import { faulty } from '../../test/support/worlds/payment-world.ts';

const USDC = 1_000_000;

it('a payee that USDC refuses is refused with an alert, others of its round are paid, and a retry pays once it is accepted', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const [refused, paid] = [await world.owed(), await world.owed()];
  const { winner: blocked } = refused;
  const chain = { ...deps.chain, refusedOf: async () => new Set([blocked.address]) };
  await world.send(world.with({ chain }));
  const payout = await world.payout(refused.projectId);
  assert.equal(payout.state, 'refused');
  assert.match(payout.note ?? '', /USDC refuses/);
  assert.equal((await world.payout(paid.projectId)).state, 'settled');
  assert.equal((await db`select 1 from payments where subject_id = ${payout.id}`).length, 0, 'nothing was signed');
  assert.equal((await toldEvents(db, 'ALERT', { alert: 'payout_held', subject: `payout:${payout.id}` })).length, 1);
  await world.retry(payout.id);
  await world.send();
  assert.deepEqual(
    [(await world.payout(refused.projectId)).state, await world.balance(blocked.address)],
    ['settled', USDC],
  );
});

it('a payee that USDC refuses after its payout was signed is refused once the signature has expired, others are paid, and a retry pays once', async () => {
  const world = await payoutsWorld();
  const { deps } = world;
  const small = { config: { ...deps.config, minTransferMicro: USDC } };
  const [blocked, other] = [await world.wallet(0), await world.wallet(0)];
  const carried = await world.owedShare(USDC / 2, blocked);
  await world.send(world.with(small));
  const [sent, paid] = [await world.owedShare(2 * USDC, blocked), await world.owedShare(2 * USDC, other)];
  // The token refuses the call when it is simulated, in a batch or alone.
  const refusal = { success: false, errorReason: 'invalid_exact_evm_transaction_failed', transaction: '' };
  const facilitator = faulty(
    deps.facilitator,
    (settle) => async (payment) =>
      payment.requirements.payTo.toLowerCase() === blocked.address ? refusal : await settle(payment),
  );
  await world.send(world.with({ ...small, facilitator }));
  assert.deepEqual(
    [(await world.payout(paid.projectId)).state, await world.balance(other.address)],
    ['settled', 2 * USDC],
  );
  const { id } = await world.payout(sent.projectId);
  assert.equal((await world.payout(sent.projectId)).state, 'sending');
  const chain = { ...deps.chain, refusedOf: async () => new Set([blocked.address]) };
  const change = { payments: deps.payments, facilitator, chain };
  // While the signature could still execute, the payout waits.
  await world.pass(60);
  await world.sweep(change);
  assert.equal((await world.payout(sent.projectId)).state, 'sending');
  await world.pass(3_700);
  await world.sweep(change);
  const refused = await world.payout(sent.projectId);
  assert.deepEqual([refused.state, refused.sentAt], ['refused', null]);
  assert.match(refused.note ?? '', /^refused payee: /);
  assert.equal((await world.payout(carried.projectId)).state, 'credited');
  await world.retry(id);
  await world.send(world.with(small));
  await world.pass(60);
  await world.sweep({ payments: deps.payments });
  assert.equal(await world.balance(blocked.address), 2.5 * USDC);
  assert.equal((await world.payout(carried.projectId)).state, 'settled');
  assert.equal((await world.rows(id)).length, 1);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { withTransaction } from '../db/transaction.ts';
import { updateReleased } from './queries.ts';

const USDC = 1_000_000;

it('a payee that USDC refuses is refused with an alert, others of its round are paid, and a retry pays once it is accepted', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const [blocked, other] = [await world.wallet(0), await world.wallet(0)];
  const [refused, paid] = [await world.project(), await world.project()];
  await world.award(refused, 5 * USDC, blocked);
  await world.award(paid, 5 * USDC, other);
  const chain = { ...deps.chain, refusedOf: async () => new Set([blocked.address]) };
  await world.send(world.with({ chain }));
  const payout = await world.payout(refused.projectId);
  assert.equal(payout.state, 'refused');
  assert.match(payout.note ?? '', /USDC refuses/);
  assert.equal((await world.payout(paid.projectId)).state, 'settled');
  assert.equal((await db`select 1 from payments where subject_id = ${payout.id}`).length, 0, 'nothing was signed');
  const alerts =
    await db`select 1 from events where type = 'ALERT.PAYOUT_HELD' and data ->> 'subject' = ${`payout:${payout.id}`}`;
  assert.equal(alerts.length, 1);
  await withTransaction(db, (tx) => updateReleased(tx, payout.id, deps.clock.now()));
  await world.send();
  assert.deepEqual(
    [(await world.payout(refused.projectId)).state, await world.balance(blocked.address)],
    ['settled', 5 * USDC],
  );
});

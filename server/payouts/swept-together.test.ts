import assert from 'node:assert/strict';
import { it } from 'node:test';
import { facilitatorOf, holdingLane, watchSimulations } from '../../test/support/worlds/batch-world.ts';
import { faulty } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';

const USDC = 1_000_000;
const PAYOUTS = 40;

it('payouts that a killed process left without a broadcast go out together, each once', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const winners = await Promise.all(Array.from({ length: PAYOUTS }, () => world.wallet(0)));
  for (const winner of winners) await world.award(await world.project({ prizeMicro: USDC }), USDC, winner);
  const ids = (await db<{ id: string }[]>`select id from payouts`).map(({ id }) => id);
  // They are claimed and signed. The process dies before the facilitator gets them: it never answers.
  let settling = 0;
  const killed = Promise.withResolvers<void>();
  const dying = faulty(deps.facilitator, () => () => {
    settling += 1;
    if (settling === PAYOUTS) killed.resolve();
    return new Promise<never>(() => {});
  });
  void world.send(world.with({ facilitator: { ...dying, capacity: PAYOUTS } }));
  await killed.promise;
  assert.deepEqual(
    (await db`select distinct state from payments`).map(({ state }) => state),
    ['settling'],
  );
  await world.pass(31);
  // The lane is held until all of them wait for it: no payment waits for a block of another one.
  const node = await watchSimulations(world.rpcUrl);
  const facilitator = facilitatorOf(world, { rpcUrl: node.rpcUrl });
  const sweeping = await holdingLane(db, world.facilitatorKey, async () => {
    const swept = world.sweep({ payments: deps.payments, facilitator });
    await node.untilQueued(PAYOUTS);
    return [swept];
  });
  assert.deepEqual(await Promise.all(sweeping), [{ settled: PAYOUTS, failed: 0, undecided: 0 }]);
  const rows = await db<{ state: string; txHash: string; journals: number; micro: number }[]>`
    select m.state, m.tx_hash as "txHash", count(j.id)::int as journals, sum(e.amount_micro)::int as micro
    from payments m join ledger_journals j on j.payment_id = m.id
    join ledger_entries e on e.journal_id = j.id and e.account_id = 'treasury'
    where m.subject_id = any(${ids}) group by m.id`;
  const [{ txHash } = assert.fail('nothing was sent')] = rows;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    ids.map(() => ({ state: 'settled', txHash, journals: 1, micro: -USDC })),
  );
  assert.deepEqual(
    await Promise.all(winners.map(({ address }) => world.balance(address))),
    winners.map(() => USDC),
  );
  assert.equal(await world.balance(world.payTo), 0);
});

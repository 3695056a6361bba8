import assert from 'node:assert/strict';
import { it } from 'node:test';
import { facilitatorOf, holdingLane, watchSimulations } from '../../test/support/worlds/batch-world.ts';
import { collect, pay } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';

const USDC = 1_000_000;
const PRIZES = 5;
const REFUNDS = 3;

const world = await payoutsWorld();
const { db, deps } = world;

/** A payment that its subject no longer takes, so that a refund is due. */
async function refund(): Promise<string> {
  const payer = await world.wallet(USDC);
  const quote = world.quote({ amountMicro: USDC });
  const lock = async () => () => ({ refused: 'the project is cancelled' });
  const { entry_fee, escrow } = deps.payments.subjects;
  const subjects = { entry_fee: { ...entry_fee, lock }, escrow: { ...escrow, lock } };
  const of = world.with({ payments: { ...deps.payments, subjects } });
  await assert.rejects(collect(of, quote, await pay(payer, quote)), { code: 'PAYMENT_FAILED' });
  return payer.address;
}

it('prizes and refunds that are due at once share one transaction, and each is booked once', async () => {
  const payers = await Promise.all(Array.from({ length: REFUNDS }, refund));
  const winners = await Promise.all(Array.from({ length: PRIZES }, () => world.wallet(0)));
  for (const [index, winner] of winners.entries()) await world.award(await world.project(), (index + 1) * USDC, winner);
  const due = await db<{ id: string }[]>`select id from payouts where state = 'ready'`;
  const ids = due.map(({ id }) => id);
  assert.equal(ids.length, PRIZES + REFUNDS);
  // The lane of the key is held until all wait for it, as while an earlier transaction waits for its block.
  const node = await watchSimulations(world.rpcUrl);
  const sender = world.with({ facilitator: facilitatorOf(world, { rpcUrl: node.rpcUrl }) });
  const sending = await holdingLane(db, world.facilitatorKey, async () => {
    const sent = world.send(sender);
    await node.untilQueued(ids.length);
    return [sent];
  });
  await Promise.all(sending);
  await Promise.all([world.send(), world.send()]);
  const booked = await db<{ state: string; payout: string; txHash: string; journals: number; micro: number }[]>`
    select m.state, p.state as payout, m.tx_hash as "txHash", count(j.id)::int as journals,
      sum(e.amount_micro)::int + m.amount_micro::int as micro
    from payments m join payouts p on p.id = m.subject_id
    left join ledger_journals j on j.payment_id = m.id
    left join ledger_entries e on e.journal_id = j.id and e.account_id = 'treasury'
    where m.subject_id = any(${ids}) group by m.id, p.id`;
  const [{ txHash } = assert.fail('nothing was sent')] = booked;
  assert.deepEqual(
    booked.map((row) => ({ ...row })),
    ids.map(() => ({ state: 'settled', payout: 'settled', txHash, journals: 1, micro: 0 })),
  );
  const { logs } = (await world.rpc('eth_getTransactionReceipt', [txHash])) as { logs: unknown[] };
  // Each authorization has two events.
  assert.equal(logs.length, 2 * ids.length);
  assert.deepEqual(
    await Promise.all(winners.map(({ address }) => world.balance(address))),
    winners.map((_, index) => (index + 1) * USDC),
  );
  assert.deepEqual(
    await Promise.all(payers.map(world.balance)),
    payers.map(() => USDC),
  );
  assert.deepEqual(world.settledPayouts.map(({ id }) => id).toSorted(), ids.toSorted());
});

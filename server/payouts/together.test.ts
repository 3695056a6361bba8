import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faulty } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { ChainUnavailable } from '../chain/types.ts';
import { facilitatorOf, holdingLane, watchSimulations } from '../../test/support/worlds/batch-world.ts';

const USDC = 1_000_000;
const world = await payoutsWorld();
const { db, deps } = world;

// Payouts that are due together are claimed in one transaction, as if each was claimed after the other.
describe('payouts that are claimed together', () => {
  const { owed, states } = world;

  it('leave the small amounts of a wallet to the transfer that is sent, on top of its cap', async () => {
    const winner = await world.wallet(0);
    const small = await world.owedShare(4_000, winner);
    await world.send();
    assert.deepEqual(await states([small]), ['credited']);
    const all = [await owed(3 * USDC, winner), await owed(2 * USDC, winner), await owed(USDC, winner)];
    await world.send(world.caps(2 * USDC, 1_000 * USDC));
    assert.deepEqual(await states([small, ...all]), ['settled', 'held', 'settled', 'settled']);
    assert.equal(await world.balance(winner.address), 3 * USDC + 4_000);
    const rows = await Promise.all([small, ...all].map(({ projectId }) => world.payout(projectId)));
    assert.equal(rows[0]!.txHash, rows[2]!.txHash);
    assert.deepEqual(
      (await Promise.all(rows.map(({ id }) => world.rows(id)))).map(({ length }) => length),
      [0, 0, 1, 1],
    );
  });

  it('stay due while the chain does not answer, and nothing is claimed', async () => {
    const all = [await owed(), await owed(), await owed()];
    const searchStart = () => Promise.reject(new ChainUnavailable(new Error('down')));
    await world.send(world.with({ chain: { ...deps.chain, searchStart } }));
    assert.deepEqual(await states(all), ['ready', 'ready', 'ready']);
    await world.pass(10);
    await world.send();
    assert.deepEqual(await states(all), ['settled', 'settled', 'settled']);
  });
});

const PRIZES = 5;
const REFUNDS = 3;

describe('payouts and refunds that are due together', () => {
  it('prizes and refunds that are due at once share one transaction, and each is booked once', async () => {
    const payers = await Promise.all(Array.from({ length: REFUNDS }, () => world.owedRefund()));
    const prizes: Awaited<ReturnType<typeof world.owed>>[] = [];
    for (let usdc = 1; usdc <= PRIZES; usdc += 1) prizes.push(await world.owed(usdc * USDC));
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
      await Promise.all(prizes.map(({ winner }) => world.balance(winner.address))),
      prizes.map((_, index) => (index + 1) * USDC),
    );
    assert.deepEqual(
      await Promise.all(payers.map(({ address }) => world.balance(address))),
      payers.map(() => USDC),
    );
    assert.deepEqual(
      world.settledPayouts.flatMap(({ id }) => (ids.includes(id) ? [id] : [])).toSorted(),
      ids.toSorted(),
    );
  });
});

const PAYOUTS = 16;

it('payouts that a killed process left without a broadcast go out together, each once', async () => {
  const inTreasury = await world.balance(world.payTo);
  const prizes = await Promise.all(Array.from({ length: PAYOUTS }, () => world.owed()));
  const ids = (await db<{ id: string }[]>`select id from payouts where state = 'ready'`).map(({ id }) => id);
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
    (await db`select distinct state from payments where subject_id = any(${ids})`).map(({ state }) => state),
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
    await Promise.all(prizes.map(({ winner }) => world.balance(winner.address))),
    prizes.map(() => USDC),
  );
  assert.equal(await world.balance(world.payTo), inTreasury);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { privateKeyToAddress } from 'viem/accounts';
import { faulty } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';

const USDC = 1_000_000;
const DAY_SECONDS = 86_400;

describe('limits of sending', async () => {
  const world = await payoutsWorld();
  const { db, deps, rpc } = world;
  const seconds = () => deps.clock.now().getTime() / 1000;
  const stateOf = async ({ projectId }: { projectId: string }) => (await world.payout(projectId)).state;

  async function owed() {
    const ids = await world.project();
    await world.award(ids, USDC, await world.wallet(0));
    return ids;
  }

  it('the daily cap counts UTC days: it is full until midnight and empty afterwards', async () => {
    const midnight = (Math.floor(seconds() / DAY_SECONDS) + 1) * DAY_SECONDS;
    // A run can sign before midnight and claim after it. Ten seconds are enough for both.
    await world.pass(Math.floor(midnight - seconds()) - 10);
    const oneADay = world.caps(10 * USDC, USDC);
    const first = await owed();
    await world.send(oneADay);
    const second = await owed();
    await world.send(oneADay);
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['settled', 'held']);
    await world.pass(11);
    // The payout of the day before resumes by itself, before those of the new day.
    const third = await owed();
    await world.send(oneADay);
    assert.deepEqual([await stateOf(second), await stateOf(third)], ['settled', 'held']);
  });

  it('a run ends after five minutes, and the next run continues the backlog', async () => {
    const projects: { projectId: string }[] = [];
    for (let count = 0; count < 20; count += 1) projects.push(await owed());
    const slow = faulty(deps.facilitator, (real) => async (payment) => {
      const answer = await real(payment);
      await world.pass(20);
      return answer;
    });
    // It takes one batch after the other.
    await world.send(world.with({ facilitator: { ...slow, capacity: 0 } }));
    const ready = async () => (await Promise.all(projects.map(stateOf))).filter((state) => state === 'ready').length;
    assert.equal(await ready(), 4);
    await world.send();
    assert.equal(await ready(), 0);
  });

  it('a facilitator without gas is retried and shown, and pays once it has gas', async () => {
    const facilitator = privateKeyToAddress(world.facilitatorKey);
    const before = await rpc('eth_getBalance', [facilitator, 'latest']);
    await rpc('anvil_setBalance', [facilitator, '0x0']);
    const ids = await owed();
    await world.send();
    const payout = await world.payout(ids.projectId);
    assert.equal(payout.state, 'sending');
    await world.pass(60);
    await world.sweep({ payments: deps.payments });
    const [payment] = await db`select state, error from payments where subject_id = ${payout.id}`;
    assert.equal(payment!['state'], 'settling');
    assert.ok(payment!['error']);
    assert.equal(await world.balance(payout.recipient!), 0);
    await rpc('anvil_setBalance', [facilitator, before]);
    await world.pass(700);
    await world.sweep({ payments: deps.payments });
    assert.equal(await stateOf(ids), 'settled');
    assert.equal(await world.balance(payout.recipient!), USDC);
  });

  it('a payout whose time comes from a clock that was set back is sent at once, and no other before its time', async () => {
    const [late, postponed] = [await owed(), await owed()];
    const dueIn = async (ids: { projectId: string }, minutes: number) =>
      await db`
        update payouts set due_at = ${new Date(deps.clock.now().getTime() + minutes * 60_000)}
        where project_id = ${ids.projectId}`;
    await dueIn(late, 24 * 60);
    // The longest pause before another attempt.
    await dueIn(postponed, 10);
    await world.send();
    const states = () => Promise.all([late, postponed].map(stateOf));
    assert.deepEqual(await states(), ['settled', 'ready']);
    await world.pass(601);
    await world.send();
    assert.deepEqual(await states(), ['settled', 'settled']);
  });
});

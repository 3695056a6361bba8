import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Wallet } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { withTransaction } from '../db/transaction.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import { oweShares } from './owe.ts';
import { releasePayouts } from './release-payouts.ts';

const USDC = 1_000_000;
const DAY_SECONDS = 86_400;

describe('caps of one party', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const ctx = { ...deps, caller: { kind: 'operator' } } as unknown as Context<OperatorCaller>;
  /** One party gets a tenth of the day's cap: 10 USDC. */
  const capped = world.caps(10 * USDC, 100 * USDC);

  /** Every test begins in a new window, so that no other test has used its room. */
  async function nextDay() {
    const now = deps.clock.now().getTime() / 1000;
    await world.pass(Math.ceil((Math.floor(now / DAY_SECONDS) + 1) * DAY_SECONDS - now) + 1);
  }

  async function owed(amountMicro: number, to: Wallet, posterOf?: { projectId: string }) {
    const ids = await world.project({ prizeMicro: amountMicro });
    if (posterOf)
      await db`
        update projects set poster_id = (select poster_id from projects where id = ${posterOf.projectId})
        where id = ${ids.projectId}`;
    await world.award(ids, amountMicro, to);
    return ids;
  }

  const seen = async ({ projectId }: { projectId: string }) => {
    const { state, note, heldUntil } = await world.payout(projectId);
    return { state, note, heldUntil: heldUntil?.toISOString() ?? null };
  };
  const settled = { state: 'settled', note: null, heldUntil: null };
  const held = (of: string) => ({
    state: 'held',
    note: `over the daily cap of one ${of}`,
    heldUntil: new Date(Math.ceil(deps.clock.now().getTime() / 1000 / DAY_SECONDS) * DAY_SECONDS * 1000).toISOString(),
  });

  it('hold what is too much for one recipient, and nobody else', async () => {
    await nextDay();
    const [rich, other] = [await world.wallet(0), await world.wallet(0)];
    const payouts = [await owed(6 * USDC, rich), await owed(6 * USDC, rich), await owed(6 * USDC, other)];
    await world.send(capped);
    assert.deepEqual(await Promise.all(payouts.map(seen)), [settled, held('recipient'), settled]);
    await nextDay();
    await world.send(capped);
    assert.equal(await world.balance(rich.address), 12 * USDC);
  });

  it('hold what is too much for the projects of one poster, and nobody else', async () => {
    await nextDay();
    const first = await owed(6 * USDC, await world.wallet(0));
    const second = await owed(6 * USDC, await world.wallet(0), first);
    const other = await owed(6 * USDC, await world.wallet(0));
    await world.send(capped);
    assert.deepEqual(await Promise.all([first, second, other].map(seen)), [settled, held('poster'), settled]);
  });

  it('hold to the microdollar while several senders run', async () => {
    await nextDay();
    const winner = await world.wallet(0);
    for (let count = 0; count < 20; count += 1) await owed(USDC, winner);
    await Promise.all([world.send(capped), world.send(capped), world.send(capped)]);
    assert.equal(await world.balance(winner.address), 10 * USDC);
  });

  it('resume the oldest payouts first', async () => {
    await nextDay();
    const winner = await world.wallet(0);
    const amounts = [10, 4, 3, 2].map((usdc) => usdc * USDC);
    const payouts = [];
    for (const amountMicro of amounts) payouts.push(await owed(amountMicro, winner));
    await world.send(capped);
    await nextDay();
    // A new payout does not overtake those of the day before.
    payouts.push(await owed(5 * USDC, winner));
    await world.send(capped);
    const states = await Promise.all(payouts.map(async (ids) => (await seen(ids)).state));
    assert.deepEqual(states, ['settled', 'settled', 'settled', 'settled', 'held']);
  });

  it('resume payouts after a clock was set back', async () => {
    await nextDay();
    const winner = await world.wallet(0);
    const ids = [await owed(10 * USDC, winner), await owed(USDC, winner)];
    await world.send(capped);
    await db`update payouts set held_until = held_until + interval '30 days' where state = 'held'`;
    await nextDay();
    await world.send(capped);
    assert.deepEqual(await seen(ids[1]!), settled);
  });

  it('are lifted by the operator for all payouts at once, and those use no room', async () => {
    await nextDay();
    const winner = await world.wallet(0);
    const released = [];
    for (let count = 0; count < 4; count += 1) released.push(await owed(6 * USDC, winner));
    // Above the cap of one transfer: released on its own only.
    const large = await owed(11 * USDC, await world.wallet(0));
    await world.send(capped);
    const only = { body: { project_id: released[1]!.projectId, reason: 'Known to us' } };
    assert.deepEqual(await releasePayouts(ctx, only), {
      message: 'The released payouts are sent next.',
      released: 1,
      amount_micro: 6 * USDC,
      has_more: false,
    });
    assert.equal((await releasePayouts(ctx, { body: { reason: 'Known to us' } })).released, 2);
    assert.equal((await releasePayouts(ctx, { body: { reason: 'Again' } })).released, 0);
    await world.send(capped);
    assert.equal(await world.balance(winner.address), 24 * USDC);
    assert.deepEqual(await seen(large), { state: 'held', note: 'over the cap of one transfer', heldUntil: null });
    // The released payouts, 18 USDC, leave the winner's own room as it was.
    await owed(4 * USDC, winner);
    await world.send(capped);
    assert.equal(await world.balance(winner.address), 28 * USDC);
    const audited = await db`
      select 1 from audit_trail where action = 'payout.release' and reason = 'Known to us' and actor = 'operator'`;
    assert.equal(audited.length, 3);
  });
});

describe('turns', async () => {
  const world = await payoutsWorld();
  const { deps } = world;

  it('send a prize at once, although another project has many shares', async () => {
    const winner = await world.wallet(0);
    const crowd = await world.project({ prizeMicro: 10 * USDC });
    const awards = await Promise.all(
      Array.from({ length: 40 }, async () => ({
        submissionId: (await world.project({ inTreasury: false })).submissionId,
        agentId: crowd.agentId,
        amountMicro: 20_000,
        wallet: (await world.wallet(0)).address,
      })),
    );
    const at = deps.clock.now();
    await withTransaction(deps.db, (tx) => oweShares(deps, tx, { projectId: crowd.projectId, awards, at }));
    const prize = await world.project();
    await world.award(prize, USDC, winner);
    const paid: string[] = [];
    // They are signed in the order of their claims.
    const recording: typeof deps.treasury = {
      ...deps.treasury,
      authorize(transfer) {
        paid.push(transfer.recipient);
        return deps.treasury.authorize(transfer);
      },
    };
    await world.send(world.with({ treasury: recording }));
    assert.equal(paid.length, 41);
    assert.ok(paid.indexOf(winner.address) < 2, `the prize was sent at place ${paid.indexOf(winner.address) + 1}`);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { toldEvents } from '../../test/support/told-events.ts';
import { privateKeyToAddress } from 'viem/accounts';

const USDC = 1_000_000;
const DAY_SECONDS = 86_400;

type World = Awaited<ReturnType<typeof payoutsWorld>>;

/** Every test of caps begins in a new window, so that no other test has used its room. */
async function nextDay({ deps, pass }: World) {
  const now = deps.clock.now().getTime() / 1000;
  await pass(Math.ceil((Math.floor(now / DAY_SECONDS) + 1) * DAY_SECONDS - now) + 1);
}

describe('caps of one party', async () => {
  const world = await payoutsWorld();
  const { db, deps, owed } = world;
  /** One party gets a tenth of the day's cap: 10 USDC. */
  const capped = world.caps(10 * USDC, 100 * USDC);

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
    await nextDay(world);
    const [rich, other] = [await world.wallet(0), await world.wallet(0)];
    const payouts = [await owed(6 * USDC, rich), await owed(6 * USDC, rich), await owed(6 * USDC, other)];
    await world.send(capped);
    assert.deepEqual(await Promise.all(payouts.map(seen)), [settled, held('recipient'), settled]);
    await nextDay(world);
    await world.send(capped);
    assert.equal(await world.balance(rich.address), 12 * USDC);
  });

  it('hold what is too much for the projects of one poster, and nobody else', async () => {
    await nextDay(world);
    const ids = await world.project({ prizeMicro: 6 * USDC });
    const payouts = [await owed(6 * USDC), ids, await owed(6 * USDC)];
    await db`
      update projects set poster_id = (select poster_id from projects where id = ${payouts[0]!.projectId})
      where id = ${ids.projectId}`;
    await world.award(ids, 6 * USDC, await world.wallet(0));
    await world.send(capped);
    assert.deepEqual(await Promise.all(payouts.map(seen)), [settled, held('poster'), settled]);
  });

  it('give what was held at most half of the next day, the smallest first, so that new and small payouts go out', async () => {
    await nextDay(world);
    // Sends what the tests before have left.
    await world.send(capped);
    await nextDay(world);
    const small = world.caps(10 * USDC, 20 * USDC);
    const old: Awaited<ReturnType<typeof owed>>[] = [];
    for (const usdc of [9, 9, 9, 9, 3]) old.push(await owed(usdc * USDC));
    await world.send(small);
    assert.deepEqual(await world.states(old), ['settled', 'settled', 'held', 'held', 'held']);
    await nextDay(world);
    const fresh = await owed(9 * USDC);
    await world.send(small);
    assert.deepEqual(await world.states(old), ['settled', 'settled', 'held', 'held', 'settled']);
    assert.equal((await seen(old[3]!)).note, 'over the half of the daily cap for earlier days');
    assert.deepEqual(await world.states([fresh]), ['settled']);
    for (const left of [
      ['settled', 'held'],
      ['settled', 'settled'],
    ]) {
      await nextDay(world);
      await world.send(small);
      assert.deepEqual((await world.states(old)).slice(2, 4), left);
    }
  });

  it('hold to the microdollar while several senders run', async () => {
    await nextDay(world);
    const winner = await world.wallet(0);
    for (let count = 0; count < 20; count += 1) await owed(USDC, winner);
    await Promise.all([world.send(capped), world.send(capped), world.send(capped)]);
    assert.equal(await world.balance(winner.address), 10 * USDC);
  });

  it('are lifted by the operator for single payouts, which use no room', async () => {
    await nextDay(world);
    const winner = await world.wallet(0);
    const released = [];
    for (let count = 0; count < 4; count += 1) released.push(await owed(6 * USDC, winner));
    // Above the cap of one transfer.
    const large = await owed(11 * USDC);
    await world.send(capped);
    for (const { projectId } of released) {
      const { id, state } = await world.payout(projectId);
      if (state === 'held') await world.retry(id, 'Known to us');
    }
    await world.send(capped);
    assert.equal(await world.balance(winner.address), 24 * USDC);
    const note = 'over the cap of one transfer';
    assert.deepEqual(await seen(large), { state: 'held', note, heldUntil: null });
    const { id: largeId } = await world.payout(large.projectId);
    const alerts = await toldEvents(db, 'ALERT', { alert: 'payout_held', subject: `payout:${largeId}` });
    assert.deepEqual(
      alerts.map(({ stream, data }) => [stream, data['message']]),
      [['operator', note]],
    );
    // The released payouts, 18 USDC, leave the winner's own room as it was.
    await owed(4 * USDC, winner);
    await world.send(capped);
    assert.equal(await world.balance(winner.address), 28 * USDC);
    const audited = await db`
      select 1 from audit_trail where action = 'payout.release' and reason = 'Known to us' and actor = 'operator'`;
    assert.equal(audited.length, 3);
  });
});

describe('limits of sending', async () => {
  const world = await payoutsWorld();
  const { db, deps, rpc } = world;
  const seconds = () => deps.clock.now().getTime() / 1000;

  it('the daily cap counts UTC days: it is full until midnight and empty afterwards', async () => {
    const midnight = (Math.floor(seconds() / DAY_SECONDS) + 1) * DAY_SECONDS;
    // A run can sign before midnight and claim after it. Ten seconds are enough for both.
    await world.pass(Math.floor(midnight - seconds()) - 10);
    const oneADay = world.caps(10 * USDC, USDC);
    const first = await world.owed();
    await world.send(oneADay);
    const second = await world.owed();
    await world.send(oneADay);
    assert.deepEqual(await world.states([first, second]), ['settled', 'held']);
    await world.pass(11);
    // The payout of the day before resumes by itself, before those of the new day.
    const third = await world.owed();
    await world.send(oneADay);
    assert.deepEqual(await world.states([second, third]), ['settled', 'held']);
  });

  it('a facilitator without gas is retried and shown, and pays once it has gas', async () => {
    const facilitator = privateKeyToAddress(world.facilitatorKey);
    const before = await rpc('eth_getBalance', [facilitator, 'latest']);
    await rpc('anvil_setBalance', [facilitator, '0x0']);
    const ids = await world.owed();
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
    assert.deepEqual(await world.states([ids]), ['settled']);
    assert.equal(await world.balance(payout.recipient!), USDC);
  });
});

describe('caps of refunds', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  /** One party gets a tenth of the day's cap: 10 USDC. */
  const capped = world.caps(10 * USDC, 100 * USDC);

  /** Owes a payment of three days ago back to its payer, as the refund of a prize or of an entry fee. */
  async function refund(amountMicro: number, projectId: string, submissionId: string | null) {
    const payer = await world.owedRefund(amountMicro);
    await db`
      update payouts set project_id = ${projectId}, submission_id = ${submissionId},
        poster_id = (select poster_id from projects where id = ${projectId}),
        deposited_at = ${new Date(deps.clock.now().getTime() - 3 * DAY_SECONDS * 1000)}
      where recipient = ${payer.address}`;
    return payer;
  }

  it('what goes back to a poster holds no entry fee that goes back', async () => {
    const { projectId, submissionId } = await world.project();
    const toPoster = (amountMicro: number) => refund(amountMicro, projectId, null);
    const payers = [await toPoster(9 * USDC)];
    for (let count = 0; count < 3; count += 1) payers.push(await refund(4 * USDC, projectId, submissionId));
    // The fees use nothing of the poster's room, which still has its bound.
    payers.push(await toPoster(USDC), await toPoster(USDC));
    await nextDay(world);
    await world.send(capped);
    const rows = await db<{ shown: string }[]>`
      select coalesce(note, state) as shown from payouts
      order by array_position(${payers.map(({ address }) => address)}, recipient)`;
    assert.deepEqual(
      rows.map(({ shown }) => shown),
      ['settled', 'settled', 'settled', 'settled', 'settled', 'over the daily cap of one poster'],
    );
  });
});

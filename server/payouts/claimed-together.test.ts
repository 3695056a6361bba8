import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faulty, type Wallet } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { ChainUnavailable } from '../ports/chain.ts';
import { sendPayouts } from './send-payouts.ts';

const USDC = 1_000_000;

// Payouts that are due together are claimed in one transaction, as if each was claimed after the other.
describe('payouts that are claimed together', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const down = faulty(deps.facilitator, () => async () => {
    throw new Error('down');
  });
  const states = (all: { projectId: string }[]) =>
    Promise.all(all.map(async ({ projectId }) => (await world.payout(projectId)).state));

  async function owed(amountMicro: number, to: Wallet) {
    const ids = await world.project({ prizeMicro: amountMicro });
    await world.award(ids, amountMicro, to);
    return ids;
  }

  async function owedTo(count: number, amountMicro: number) {
    const wallets = await Promise.all(Array.from({ length: count }, () => world.wallet(0)));
    const all = [];
    for (const wallet of wallets) all.push(await owed(amountMicro, wallet));
    return { wallets, all };
  }

  /** The claims of the projects' payouts that share a transaction of the database. */
  async function claimsTogether(all: { projectId: string }[]): Promise<number[]> {
    const rows = await db<{ count: number }[]>`
      select count(*)::int as count from payouts where project_id = any(${all.map(({ projectId }) => projectId)})
      group by xmin::text order by 1 desc`;
    return rows.map(({ count }) => count);
  }

  it('share one transaction of the database, up to 16 of them', async () => {
    const { all, wallets } = await owedTo(20, USDC);
    await world.send(world.with({ facilitator: down }));
    assert.deepEqual(new Set(await states(all)), new Set(['sending']));
    assert.deepEqual(await claimsTogether(all), [16, 4]);
    await world.pass(60);
    await world.sweep({ payments: deps.payments });
    assert.deepEqual(
      await Promise.all(wallets.map(({ address }) => world.balance(address))),
      wallets.map(() => USDC),
    );
  });

  it('use up the room of the day in their order', async () => {
    const now = deps.clock.now().getTime() / 1000;
    await world.pass(Math.ceil((Math.floor(now / 86_400) + 1) * 86_400 - now) + 1);
    const { all } = await owedTo(8, 3 * USDC);
    const last = await owed(USDC, await world.wallet(0));
    await world.send(world.caps(3 * USDC, 10 * USDC));
    const settled = Array.from({ length: 3 }, () => 'settled');
    assert.deepEqual(await states([...all, last]), [...settled, ...Array.from({ length: 5 }, () => 'held'), 'settled']);
    await db`update payouts set state = 'ready', released = true, held_until = null where state = 'held'`;
    await world.send();
  });

  it('are claimed although one of them has a payment already, which takes no room from them', async () => {
    const first = await owed(USDC, await world.wallet(0));
    await world.send();
    await db.begin(async (tx) => {
      await tx`alter table payouts disable trigger payout_settled_is_final`;
      await tx`delete from payouts where project_id = ${first.projectId}`;
      await tx`alter table payouts enable trigger payout_settled_is_final`;
    });
    const now = deps.clock.now().getTime() / 1000;
    await world.pass(Math.ceil((Math.floor(now / 86_400) + 1) * 86_400 - now) + 1);
    const winner = await world.wallet(0);
    await world.award(first, USDC, winner);
    const { all } = await owedTo(3, USDC);
    await world.send(world.caps(USDC, 3 * USDC));
    assert.deepEqual(await states([first, ...all]), ['held', 'settled', 'settled', 'settled']);
    assert.equal(await world.balance(winner.address), 0);
  });

  it('leave the small amounts of a wallet to the transfer that is sent', async () => {
    const winner = await world.wallet(0);
    const small = await world.project({ prizeMicro: 4_000 });
    await world.share(small, 4_000, winner);
    await world.send();
    assert.deepEqual(await states([small]), ['credited']);
    const all = [await owed(3 * USDC, winner), await owed(USDC, winner), await owed(2 * USDC, winner)];
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
    const { all } = await owedTo(3, USDC);
    const searchStart = () => Promise.reject(new ChainUnavailable(new Error('down')));
    await world.send(world.with({ chain: { ...deps.chain, searchStart } }));
    assert.deepEqual(await states(all), ['ready', 'ready', 'ready']);
    await world.pass(10);
    await world.send();
    assert.deepEqual(await states(all), ['settled', 'settled', 'settled']);
  });

  it('end the run if the database refuses each change of them', async () => {
    const { all } = await owedTo(16, USDC);
    await db`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`;
    await db`create trigger refuse before update on payouts for each row execute function refuse()`;
    const late = new AbortController();
    let rounds = 0;
    const check = async () => void ((rounds += 1) > 5 && late.abort());
    await sendPayouts(world.with({ treasury: { ...deps.treasury, check } }), late.signal);
    await db`drop trigger refuse on payouts`;
    assert.equal(rounds, 1);
    await world.send();
    assert.deepEqual(new Set(await states(all)), new Set(['settled']));
  });
});

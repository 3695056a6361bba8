import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escrowAccount } from '../ledger/accounts.ts';
import { takeBackVanished } from '../payments/vanished.ts';
import { collect, pay } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { MISSING, VANISHED } from './held-back.ts';

const USDC = 1_000_000;

describe('payouts that wait for the chain', async () => {
  const world = await payoutsWorld();
  const { db, deps, rpc } = world;
  const inSeconds = (seconds: number) => ({ clock: { now: () => new Date(Date.now() + seconds * 1000) } });
  const { subjects } = deps.payments;
  const lock = async (_tx: unknown, subjectId: string) => () => ({ creditTo: escrowAccount(subjectId) });
  const escrowed = world.with({
    payments: { ...deps.payments, subjects: { ...subjects, escrow: { ...subjects.escrow, lock } } },
  });

  /** A project whose prize is awarded, and the payment of its prize. */
  async function awarded() {
    const { projectId } = await world.owed();
    const quote = world.quote({ kind: 'escrow', subjectId: projectId });
    const payment = await pay(await world.wallet(USDC), quote);
    const payout = async () => {
      const rows = await db<{ state: string; note: string | null }[]>`
        select state, note from payouts where project_id = ${projectId}`;
      return rows.map(({ state, note }) => [state, note]);
    };
    return { quote, payout, deposit: () => collect(escrowed, quote, payment) };
  }

  it('leave as soon as enough blocks follow the block of the payment', async () => {
    const careful = { ...deps, config: { ...deps.config, confirmations: 50 } };
    const { deposit, payout } = await awarded();
    await deposit();
    await world.send(careful);
    assert.deepEqual(await payout(), [['ready', 'it waits until 50 blocks follow its payment']]);
    await rpc('anvil_mine', ['0x31']);
    await world.send({ ...careful, ...inSeconds(10) });
    assert.equal((await payout())[0]?.[0], 'ready');
    await rpc('anvil_mine', ['0x1']);
    // Its transaction was mined again, in a later block than the one of the books.
    const transaction: typeof deps.chain.transaction = async (...asked) => {
      const seen = await deps.chain.transaction(...asked);
      return seen.state === 'paid' ? { ...seen, blockNumber: seen.blockNumber + 1 } : seen;
    };
    await world.send({ ...careful, ...inSeconds(20), chain: { ...deps.chain, transaction } });
    assert.equal((await payout())[0]?.[0], 'ready');
    await world.send({ ...careful, ...inSeconds(30) });
    assert.deepEqual(await payout(), [['settled', null]]);
  });

  it('wait as soon as the chain does not show their payment, before a check has found that', async () => {
    const { deposit, payout } = await awarded();
    const fork = await rpc('evm_snapshot', []);
    await deposit();
    await rpc('evm_revert', [fork]);
    await rpc('anvil_mine', ['0x5']);
    await world.send();
    assert.deepEqual(await payout(), [['ready', MISSING]]);
  });

  it('are sent again when their transfer vanishes from the chain, and count once', async () => {
    const { winner, ...ids } = await world.owed();
    const fork = await rpc('evm_snapshot', []);
    await world.send();
    await rpc('evm_revert', [fork]);
    await rpc('anvil_mine', ['0x5']);
    const [sent] = await db<{ id: string }[]>`
      select id from payments where state = 'settled' and pay_to = ${winner.address}`;
    assert.equal(await takeBackVanished(deps, [sent?.id ?? '']), 1);
    assert.equal(await takeBackVanished(deps, [sent?.id ?? '']), 0);
    assert.deepEqual(await world.states([ids]), ['sending']);
    // A node on a fork shows it in a block that was matched without it.
    const { network, asset } = world.quote();
    await db`insert into treasury_scans values (${network}, ${deps.treasury.address}, ${asset}, 1) on conflict do nothing`;
    const onFork = { state: 'paid', txHash: `0x${'f'.repeat(64)}`, logIndex: 1, blockNumber: 1 } as const;
    await world.sweep({ ...deps, chain: { ...deps.chain, authorization: async () => onFork } });
    assert.deepEqual(await world.states([ids]), ['sending']);
    await world.sweep({ ...deps, ...inSeconds(60) });
    assert.deepEqual(await world.states([ids]), ['settled']);
    assert.equal(await world.balance(winner.address), USDC);
  });

  it('wait while a payment of their project is not on chain any more, and delay no other project', async () => {
    const [lost, other] = [await awarded(), await awarded()];
    const fork = await rpc('evm_snapshot', []);
    const { payment } = await lost.deposit();
    await rpc('evm_revert', [fork]);
    assert.equal(await takeBackVanished(deps, [payment.id]), 1);
    await world.send();
    assert.deepEqual(await lost.payout(), [['ready', VANISHED]]);
    assert.deepEqual(await other.payout(), [['settled', null]]);
    await world.sweep();
    await world.send({ ...deps, ...inSeconds(60) });
    assert.deepEqual(await lost.payout(), [['settled', null]]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRemoteTreasury } from '../x402/remote-treasury.ts';
import { rpcProxy, sendJson } from '../../test/support/servers/http-server.ts';
import { SIGNER_ADDRESS, startSigner } from '../../test/support/servers/signer.ts';
import { toldEvents } from '../../test/support/told-events.ts';
import { collect, pay } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';

const USDC = 1_000_000;

describe('payouts that a remote signer signs', async () => {
  let state: 'up' | 'down' | 'slow' | 'refusing' = 'up';
  const url = await rpcProxy(await startSigner(), ({ method }, response) => {
    if (state === 'down') response.destroy();
    if (state === 'refusing' && method !== 'eth_accounts')
      sendJson(response, 200, { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'over the limit' } });
    return state === 'refusing' ? method !== 'eth_accounts' : state !== 'up';
  });
  const treasury = createRemoteTreasury({ url, address: SIGNER_ADDRESS, timeoutMs: 1_000 });
  const world = await payoutsWorld({ treasury });
  const payer = await world.wallet(3 * USDC);

  it('wait while it is away, slow, or refuses, and then go on by themselves, once', async () => {
    const { projectId, winner } = await world.owed();
    const expected = { down: 'ready', slow: 'ready', refusing: 'sending' } as const;
    for (const [next, payoutState] of Object.entries(expected)) {
      state = next as keyof typeof expected;
      await world.send();
      await world.sweep(world.deps);
      assert.equal((await world.payout(projectId)).state, payoutState);
      assert.equal(await world.balance(winner.address), 0);
      // Money in needs no signature of the treasury.
      const quote = world.quote({ amountMicro: USDC });
      const { payment } = await collect(world.deps, quote, await pay(payer, quote));
      assert.equal(payment.state, 'settled');
    }
    assert.equal((await toldEvents(world.db, 'ALERT', { alert: 'signer_down' })).length, 1);
    state = 'up';
    await world.pass(60);
    await world.sweep(world.deps);
    await world.send();
    const payout = await world.payout(projectId);
    assert.equal(payout.state, 'settled');
    assert.equal((await world.rows(payout.id)).length, 1);
    assert.equal(await world.balance(winner.address), USDC);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBalances } from './balances.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;

function world() {
  const state = { now: 0, balanceMicro: 100, up: true, reads: 0, hangs: null as Promise<void> | null };
  const chain = {
    async balanceMicro() {
      state.reads += 1;
      const { balanceMicro, up } = state;
      await (state.hangs ?? Promise.resolve());
      if (!up) throw new Error('down');
      return balanceMicro;
    },
  };
  return { state, balances: createBalances(chain, { now: () => new Date(state.now) }) };
}

describe('balances', () => {
  it('sends one request for concurrent readers, and the next one after 30 s', async () => {
    const { state, balances } = world();
    const shown = await Promise.all(Array.from({ length: 20 }, () => balances.balance(ADDRESS)));
    assert.deepEqual(shown[19], { balanceMicro: 100, stale: false });
    state.now = 29_999;
    await balances.balance(ADDRESS);
    assert.equal(state.reads, 1);
    state.now = 30_000;
    state.balanceMicro = 200;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 200, stale: false });
    assert.equal(state.reads, 2);
  });

  it('returns the last balance as stale while the chain is down, and null if there is none', async () => {
    const { state, balances } = world();
    state.up = false;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: null, stale: true });
    state.up = true;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: false });
    state.now = 30_000;
    state.up = false;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: true });
    state.up = true;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: false });
  });

  it('does not wait for a chain that hangs: 1 s for the first reader, nothing for the others', async (context) => {
    const { state, balances } = world();
    await balances.balance(ADDRESS);
    state.now = 30_000;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.hangs = promise;
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const [first, second] = [balances.balance(ADDRESS), balances.balance(ADDRESS)];
    context.mock.timers.tick(999);
    assert.equal(await Promise.race([first, new Promise((tell) => setImmediate(tell, 'waiting'))]), 'waiting');
    context.mock.timers.tick(1);
    for (const shown of [await first, await second, await balances.balance(ADDRESS)])
      assert.deepEqual(shown, { balanceMicro: 100, stale: true });
    assert.equal(state.reads, 2);
    state.balanceMicro = 200;
    state.hangs = null;
    resolve();
    await new Promise((tell) => setImmediate(tell));
    // The reading that hung has ended and is fresh.
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: false });
    state.now = 60_000;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 200, stale: false });
  });
});

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Context } from '../deps.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';
import { SignedElsewhere } from '../ports/payments/treasury.ts';
import { retryPayout } from './retry-payout.ts';
import type { OperatorCaller } from '../ports/callers.ts';

const USDC = 1_000_000;

describe('retryPayout', async () => {
  const world = await payoutsWorld();
  const { db, deps } = world;
  const ctx = { ...deps, caller: { kind: 'operator' } } as unknown as Context<OperatorCaller>;
  const retry = (payoutId: string) =>
    retryPayout(ctx, { params: { payout_id: payoutId }, body: { reason: 'Asked for' } });

  async function owed() {
    const ids = await world.project();
    await world.award(ids, 3 * USDC, await world.wallet(0));
    return { ids, payout: await world.payout(ids.projectId) };
  }

  it('exempts a held payout from the caps, and no other payout', async () => {
    const { ids, payout } = await owed();
    const capped = world.caps(USDC, 1_000 * USDC);
    // The sender has not checked this payout yet, so nothing says that it exceeds a cap.
    assert.equal((await retry(payout.id)).payout.state, 'ready');
    await world.send(capped);
    assert.equal((await world.payout(ids.projectId)).state, 'held');
    assert.equal((await retry(payout.id)).message, 'The payout is sent next.');
    await world.send(capped);
    assert.equal((await world.payout(ids.projectId)).state, 'settled');
  });

  it('leaves an expired authorization to a worker in a process without the key', async () => {
    const { payout } = await owed();
    await world.send({
      ...deps,
      facilitator: { ...deps.facilitator, settle: () => Promise.reject(new Error('down')) },
    });
    await world.pass(7_200);
    const unsigned = { ...ctx, treasury: { ...deps.treasury, authorize: () => Promise.reject(new SignedElsewhere()) } };
    const request = { params: { payout_id: payout.id }, body: { reason: 'Asked for' } };
    assert.equal((await retryPayout(unsigned, request)).payout.state, 'sending');
    assert.equal((await retry(payout.id)).payout.state, 'settled');
  });

  it('names the reason if nothing is sent because of a ledger mismatch', async () => {
    const { payout } = await owed();
    await db`insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
      values (${randomUUIDv7()}, ${deps.clock.now()}, true, false, ${['USDC left without a row']}, 1)`;
    assert.match((await retry(payout.id)).message, /^Payouts are stopped .*USDC left without a row$/);
  });
});

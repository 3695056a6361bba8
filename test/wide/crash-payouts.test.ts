import { describe, it } from 'node:test';
import { assertBooks } from '../support/clients/journey.ts';
import { assertPaidAfter, assertPaidTogether } from '../support/money/crashed-payouts.ts';
import { crashWorld } from '../support/processes/crash-world.ts';

// More points than in test/crash/payouts.test.ts at which SIGKILL ends the process while its jobs send money.

const world = await crashWorld();

it('a prize and refunds are paid once if the crash was in the claim of a payout', () =>
  assertPaidAfter(world, 'in the claim of a payout', false));

describe('payouts that share a transaction', () => {
  for (const fate of ['mined while the process is dead', 'dropped while the process is dead'] as const)
    it(`are paid once each: ${fate}`, () => assertPaidTogether(world, fate));
});

it('the books match the chain after all crashes', async () => {
  await assertBooks(world);
});

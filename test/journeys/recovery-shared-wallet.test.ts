import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payoutNonce, prizeReference } from '../../server/payouts/public.ts';
import { createDerivation } from '../../server/reconciliation/recovery/derive.ts';
import { explainOutgoing } from '../../server/reconciliation/recovery/explain.ts';
import { close, enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A prize can go to the wallet that paid the fee. If that wallet paid for several entries, it does not show which one won.

const world = await startWorld();
const { deps } = world.service;

/** Explains a lost prize of a project that the database still judges. */
async function explained(projectId: string, to: string) {
  return await explainOutgoing(
    { ...deps, derive: createDerivation(deps) },
    {
      txHash: `0x${'ab'.repeat(32)}`,
      logIndex: 0,
      blockNumber: 1,
      from: deps.payTo,
      to,
      amountMicro: 950_000,
      nonce: payoutNonce(prizeReference(projectId)),
      strayId: null,
    },
  );
}

it('a lost prize to the wallet of one entry makes that entry the winner', async () => {
  const project = await openProject(world, { prizeUsdc: 1, entryFeeUsdc: 0.1 });
  const [entry] = [await enter(world, project), await enter(world, project, { seed: 2 })];
  expectStatus(await close(world, project), 200);
  const found = await explained(project.id, entry.payer.address);
  assert.equal(
    found.as === 'decision' && found.decision.kind === 'prize' && found.decision.winnerId,
    entry.submissionId,
  );
});

it('a lost prize to a wallet that paid for two entries is a contradiction, for the operator', async () => {
  const project = await openProject(world, { prizeUsdc: 1, entryFeeUsdc: 0.1 });
  const linked = await enter(world, project, { seed: 3 });
  await enter(world, project, { seed: 4, payer: linked.payer, wallet: 'none' });
  expectStatus(await close(world, project), 200);
  assert.equal((await explained(project.id, linked.payer.address)).as, 'contradiction');
});

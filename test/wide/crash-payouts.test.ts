import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { call, newPayer } from '../support/clients/client.ts';
import { closeAndChoose, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  assertBooks,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { assertPaidAfter, assertPaidTogether, stopPayouts } from '../support/money/crashed-payouts.ts';
import { executeOutside } from '../support/money/strays.ts';
import { crashWorld } from '../support/processes/crash-world.ts';
import { until } from '../support/processes/processes.ts';

// More points than in test/crash/payouts.test.ts at which SIGKILL ends the process while its jobs send money.

const USDC = 1_000_000;

const world = await crashWorld();
const { db, chain, url, market, operatorKey } = world;

it('a prize and refunds are paid once if the crash was in the claim of a payout', () =>
  assertPaidAfter(world, 'in the claim of a payout', false));

describe('payouts that share a transaction', () => {
  for (const fate of ['mined while the process is dead', 'dropped while the process is dead'] as const)
    it(`are paid once each: ${fate}`, () => assertPaidTogether(world, fate));
});

it('a prize below the smallest transfer is paid once, and delivered only then, if the crash was after the broadcast', async () => {
  const project = await openProject(market, { entryFeeUsdc: 0, prizeUsdc: 1 });
  const winner = await enter(market, project);
  await stopPayouts(world, true);
  expectStatus(await closeAndChoose({ url }, project, winner), 200);
  const path = `/posters/me/projects/${project.id}/submissions/${winner.submissionId}/delivery`;
  const delivery = () => call(url, 'GET', path, { key: project.poster.key });
  codeIs(await delivery(), 409, 'NOT_AWARDED');
  await world.crashAt('after the broadcast');
  await stopPayouts(world, false);
  await world.killed();
  await world.restart();
  const { manifest } = await until('the delivery', async () => {
    const answer = await delivery();
    if (answer.status === 200) return answer.body.data as { manifest: string };
    codeIs(answer, 409, 'NOT_AWARDED');
    return false;
  });
  const [row] = await db<{ state: string; txHash: string; creditedAt: Date | null }[]>`
    select state, tx_hash as "txHash", credited_at as "creditedAt" from payouts where project_id = ${project.id}`;
  assert.deepEqual([row?.state, row?.creditedAt], ['settled', null]);
  assert.equal(decodeJwt(manifest)['payout_tx'], row?.txHash);
  assert.equal(await chain.balanceMicro(winner.payer.address), FUNDS_MICRO + 950_000);
});

it('a stray goes back once if the crash was before the answer', async () => {
  const project = await openProject(market, { entryFeeUsdc: 1.5, prizeUsdc: 3 });
  const [{ key }, payer] = [await registerAgent(url), newPayer()];
  await world.mintUsdc(payer.address, 2 * USDC);
  const { id: submissionId } = await createIntent(url, key, project.id);
  const request = { key, projectId: project.id, submissionId, sizeBytes: 1000 };
  await executeOutside(world.rpcUrl, payer, expectStatus(await requestUpload(url, request), 402));
  await ledger({ url, operatorKey });
  const list = '/operator/strays?state=unclaimed';
  const { strays } = expectStatus(await call(url, 'GET', list, { key: operatorKey }), 200).body.data;
  const path = `/operator/strays/${strays[0].id}/return`;
  const giveBack = () => call(url, 'POST', path, { key: operatorKey, body: { reason: 'A mistake' } });
  await world.crashAt('before the answer');
  await world.untilKilled(giveBack);
  await world.restart();
  expectStatus(await giveBack(), 200);
  const returned = async () => (await db`select 1 from payouts where kind = 'return' and state = 'settled'`).length;
  await until('its booking', async () => (await returned()) > 0);
  assert.equal(await chain.balanceMicro(payer.address), 2 * USDC);
});

it('the books match the chain after all crashes', async () => {
  await assertBooks(world);
});

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { call, newPayer, type Payer } from '../support/clients/client.ts';
import { closeAndChoose, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while it handles amounts that are too small for a transfer, and strays. After a restart, each
// amount is owed and paid once.

const USDC = 1_000_000;
const MANY = '1000000';
const ground = await prepareWorld({
  env: {
    // Refunds of entry fees and the payout of the smallest prize are smaller than this.
    MIN_TRANSFER_USDC: '1',
    LIMIT_POSTER_PER_MINUTE: MANY,
    LIMIT_REGISTRATIONS_PER_HOUR: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
  },
  paymentTimes: { waitMs: 5_000, leaseMs: 500 },
});
let service = await ground.start();
const { url } = service;
const { db, chain, operatorKey } = ground;
const market = { url, mintUsdc: ground.mintUsdc };

async function restart() {
  service = await ground.start(Number(new URL(url).port));
}

/** A newer ledger check than all others: while it has a mismatch, nothing is sent. */
async function stopPayouts(stop: boolean) {
  await db`
    insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
    select ${randomUUIDv7()}, greatest(now(), max(checked_at) + interval '1 ms'), true, ${!stop},
      ${stop ? ['a test stops payouts'] : []}, 1 from ledger_checks`;
}

/** A project whose entry fee was paid by the wallet. */
async function paidBy(payer: Payer, entryFeeUsdc: number): Promise<OpenProject> {
  const project = await openProject(market, { entryFeeUsdc });
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, project.id);
  const request = { key, projectId: project.id, submissionId, sizeBytes: 1000, fetch: payer.pay };
  expectStatus(await requestUpload(url, request), 200);
  return project;
}

/** Cancels a project so that nothing but the refund of its entry fee is due, and that one is due from now on. */
async function oweFee({ id }: OpenProject, arm: () => Promise<void>) {
  await stopPayouts(true);
  const body = { reason: 'A test' };
  expectStatus(await call(url, 'POST', `/operator/projects/${id}/cancel`, { key: operatorKey, body }), 200);
  await db`update payouts set due_at = now() + interval '1 hour' where project_id = ${id} and submission_id is null`;
  await arm();
  await stopPayouts(false);
}

async function refund({ id }: OpenProject) {
  const [row] = await db<{ state: string; txHash: string | null }[]>`
    select state, tx_hash as "txHash" from payouts where project_id = ${id} and submission_id is not null`;
  return row!;
}

async function wallet() {
  const payer = newPayer();
  await ground.mintUsdc(payer.address, 2 * USDC);
  return payer;
}

async function killed() {
  assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
}

describe('a small refund', () => {
  it('is credited once if the crash was before the commit', async () => {
    const payer = await wallet();
    const project = await paidBy(payer, 0.25);
    await oweFee(project, () => service.crashAt('before the commit', 1, "set state = 'credited'"));
    await killed();
    assert.equal((await refund(project)).state, 'ready');
    await restart();
    await until('the credit', async () => (await refund(project)).state === 'credited');
    const { accounts } = await ledger({ url, operatorKey });
    assert.equal(accounts.find(({ account }) => account === `payable:${payer.address}`)?.balance_micro, 250_000);
  });

  it('goes out once with the next transfer if the crash was in the booking', async () => {
    const payer = await wallet();
    const [small, next] = [await paidBy(payer, 0.25), await paidBy(payer, 0.8)];
    await oweFee(small, async () => {});
    await until('the credit', async () => (await refund(small)).state === 'credited');
    await oweFee(next, () => service.crashAt('in the booking'));
    await killed();
    await restart();
    await until('the transfer', async () => (await refund(next)).state === 'settled');
    assert.deepEqual(await refund(small), await refund(next));
    assert.equal(await chain.balanceMicro(payer.address), 2 * USDC);
  });
});

it('a prize below the smallest transfer is paid once, and delivered only then, if the crash was after the broadcast', async () => {
  const project = await openProject(market, { entryFeeUsdc: 0, prizeUsdc: 1 });
  const winner = await enter(market, project);
  await stopPayouts(true);
  expectStatus(await closeAndChoose({ url }, project, winner), 200);
  const path = `/posters/me/projects/${project.id}/submissions/${winner.submissionId}/delivery`;
  const delivery = () => call(url, 'GET', path, { key: project.poster.key });
  codeIs(await delivery(), 409, 'NOT_AWARDED');
  await service.crashAt('after the broadcast');
  await stopPayouts(false);
  await killed();
  await restart();
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
  const [{ key }, payer] = [await registerAgent(url), await wallet()];
  const { id: submissionId } = await createIntent(url, key, project.id);
  const request = { key, projectId: project.id, submissionId, sizeBytes: 1000 };
  await executeOutside(ground.rpcUrl, payer, expectStatus(await requestUpload(url, request), 402));
  await ledger({ url, operatorKey });
  const list = '/operator/strays?state=unclaimed';
  const { strays } = expectStatus(await call(url, 'GET', list, { key: operatorKey }), 200).body.data;
  const path = `/operator/strays/${strays[0].id}/return`;
  const giveBack = () => call(url, 'POST', path, { key: operatorKey, body: { reason: 'A mistake' } });
  await service.crashAt('before the answer');
  await untilKilled(service, giveBack);
  await restart();
  expectStatus(await giveBack(), 200);
  const returned = async () => (await db`select 1 from payouts where kind = 'return' and state = 'settled'`).length;
  await until('its booking', async () => (await returned()) > 0);
  assert.equal(await chain.balanceMicro(payer.address), 2 * USDC);
});

it('the books match the chain after all crashes', async () => {
  await assertBooks({ url, operatorKey });
});

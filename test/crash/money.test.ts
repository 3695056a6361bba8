import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { call, newPayer, type Payer } from '../support/clients/client.ts';
import { closeAndChoose, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { executeOutside } from '../support/money/strays.ts';
import { challengeWallet, linkPayer, linkWallet } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process before and after the writes of small amounts, strays, and wallets. After a restart, each
// amount is owed and paid once, and each wallet belongs to one agent.

const USDC = 1_000_000;
const MANY = '1000000';
const ground = await prepareWorld({
  env: {
    // Refunds of entry fees and the payout of the smallest prize are smaller than this. Changes of wallets wait for 0.4 s.
    MIN_TRANSFER_USDC: '1',
    WALLET_CHANGE_HOURS: '0.0001',
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

async function assertBooks() {
  const { problems, balanced, chain_matches } = await ledger({ url, operatorKey });
  assert.deepEqual([problems, balanced, chain_matches], [[], true, true]);
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

describe('a small refund', () => {
  it('is credited once if the crash was in its transaction, and once if it was right after', async () => {
    const payer = await wallet();
    const project = await paidBy(payer, 0.25);
    await oweFee(project, () => service.crashAt('at the next id'));
    assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
    assert.equal((await refund(project)).state, 'ready');
    await restart();
    await until('the credit', async () => (await refund(project)).state === 'credited');
    await service.running.kill('SIGKILL');
    await restart();
    const { accounts } = await ledger({ url, operatorKey });
    assert.equal(accounts.find(({ account }) => account === `payable:${payer.address}`)?.balance_micro, 250_000);
    await assertBooks();
  });

  const points: CrashPoint[] = [
    'in the claim of a payout',
    'before the broadcast',
    'after the broadcast',
    'in the booking',
  ];
  for (const point of points)
    it(`goes out once with the next transfer if the crash was ${point}`, async () => {
      const payer = await wallet();
      const [small, next] = [await paidBy(payer, 0.25), await paidBy(payer, 0.8)];
      await oweFee(small, async () => {});
      await until('the credit', async () => (await refund(small)).state === 'credited');
      await oweFee(next, () => service.crashAt(point));
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      await restart();
      await until('the transfer', async () => (await refund(next)).state === 'settled');
      assert.deepEqual(await refund(small), await refund(next));
      assert.equal(await chain.balanceMicro(payer.address), 2 * USDC);
      await assertBooks();
    });
});

describe('a prize below the smallest transfer', () => {
  const points: CrashPoint[] = ['in the claim of a payout', 'after the broadcast', 'in the booking'];
  for (const point of points)
    it(`is transferred once, and delivered only then, if the crash was ${point}`, async () => {
      const project = await openProject(market, { entryFeeUsdc: 0, prizeUsdc: 1 });
      const winner = await enter(market, project);
      await stopPayouts(true);
      expectStatus(await closeAndChoose({ url }, project, winner), 200);
      const path = `/posters/me/projects/${project.id}/submissions/${winner.submissionId}/delivery`;
      const delivery = () => call(url, 'GET', path, { key: project.poster.key });
      codeIs(await delivery(), 409, 'NOT_AWARDED');
      await service.crashAt(point);
      await stopPayouts(false);
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
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
      await assertBooks();
    });
});

describe('a stray that goes back', () => {
  for (const point of ['at the next id', 'before the answer'] as const)
    it(`goes back once if the crash was ${point}`, async () => {
      const project = await openProject(market, { entryFeeUsdc: 1.5 });
      const [{ key }, payer] = [await registerAgent(url), await wallet()];
      const { id: submissionId } = await createIntent(url, key, project.id);
      const request = { key, projectId: project.id, submissionId, sizeBytes: 1000 };
      await executeOutside(ground.rpcUrl, payer, expectStatus(await requestUpload(url, request), 402));
      await ledger({ url, operatorKey });
      const list = '/operator/strays?state=unclaimed';
      const { strays } = expectStatus(await call(url, 'GET', list, { key: operatorKey }), 200).body.data;
      const path = `/operator/strays/${strays[0].id}/return`;
      const giveBack = () => call(url, 'POST', path, { key: operatorKey, body: { reason: 'A mistake' } });
      await service.crashAt(point);
      await untilKilled(service, giveBack);
      await restart();
      expectStatus(await giveBack(), 200);
      await until('the money is back', async () => (await chain.balanceMicro(payer.address)) === 2 * USDC);
      await until('its booking', async () => (await db`select 1 from payouts where state = 'sending'`).length === 0);
      await assertBooks();
      assert.equal(await chain.balanceMicro(payer.address), 2 * USDC);
    });
});

describe('a wallet', () => {
  for (const point of ['at the next id', 'before the answer'] as const)
    it(`is linked once if the crash was ${point}`, async () => {
      const [{ key }, payer] = [await registerAgent(url), newPayer()];
      const message = await challengeWallet(url, key, payer.address);
      const signature = await payer.account.signMessage({ message });
      await service.crashAt(point);
      await untilKilled(service, () => linkWallet(url, key, message, signature));
      await restart();
      // The challenge is used up with the link, or neither happened.
      assert.equal((await linkWallet(url, key, message, signature)).status, point === 'at the next id' ? 200 : 400);
      const me = expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;
      assert.deepEqual([me.wallet.address, me.wallet.proven], [payer.address, true]);
    });

  it('changes once if the crash was while a pending change took effect', async () => {
    const [{ id, key }, first, next] = [await registerAgent(url), newPayer(), newPayer()];
    expectStatus(await linkPayer(url, key, first), 200);
    expectStatus(await linkPayer(url, key, next), 202);
    await service.crashAt('at the next id');
    // The job may have made the change before the crash was armed; then the next change meets it.
    await until('the crash', async () => {
      const changed = await db`select 1 from agents where id = ${id} and pending_wallet is null`;
      if (changed.length > 0) await linkPayer(url, key, newPayer()).catch(() => null);
      return await Promise.race([service.running.ended, sleep(50)]);
    });
    assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
    await restart();
    await until('the change', async () => {
      const [row] = await db`select wallet_address as address from agents where id = ${id} and pending_wallet is null`;
      return row?.['address'] === next.address;
    });
    const changes = await db`
      select 1 from audit_trail where subject = ${`agent:${id}`} and action = 'agent.link_wallet'
        and details ->> 'wallet' = ${next.address}`;
    assert.equal(changes.length, 1);
  });
});

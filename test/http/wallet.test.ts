import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  createIntent,
  expectStatus,
  openProject,
  ownProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { challengeWallet, linkPayer, linkWallet } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// test/security/theft.test.ts has the change of a proven wallet that waits.

const world = await sharedWorld();
const { url, mintUsdc } = world;

const challenge = (key: string, address: string) => challengeWallet(url, key, address);
const link = (key: string, message: string, signature: string) => linkWallet(url, key, message, signature);
const walletOf = async (key: string) => (await call(url, 'GET', '/agents/me', { key })).body.data.wallet;
const intentOf = (key: string, id: string) =>
  call(url, 'POST', `/agents/projects/${id}/intent`, { key, body: { title: 'Lighthouse' } });

describe('a wallet is linked', () => {
  it('to one agent only, also if many ask at once', async () => {
    const [ada, grace, payer] = [await registerAgent(url), await registerAgent(url), newPayer()];
    const both = await Promise.all([linkPayer(url, ada.key, payer), linkPayer(url, grace.key, payer)]);
    const [first, second] = both[0]?.status === 200 ? [ada, grace] : [grace, ada];
    assert.equal(both.filter(({ status }) => status === 200).length, 1);
    codeIs(await linkPayer(url, second.key, payer), 409, 'WALLET_ALREADY_LINKED');
    // The replaced wallet is free again.
    expectStatus(await linkPayer(url, first.key, newPayer()), 200);
    expectStatus(await linkPayer(url, second.key, payer), 200);
  });

  it('by the signature of another agent, although this one had paid with it: both are told', async () => {
    const [payerOf, signer, payer] = [await registerAgent(url), await registerAgent(url), newPayer()];
    const { id: projectId } = await openProject(world);
    const { id: submissionId } = await createIntent(url, payerOf.key, projectId);
    await mintUsdc(payer.address, 5_000_000);
    const paid = { key: payerOf.key, projectId, submissionId, sizeBytes: 1000, fetch: payer.pay };
    expectStatus(await requestUpload(url, paid), 200);
    assert.equal((await walletOf(payerOf.key)).address, payer.address);
    expectStatus(await linkPayer(url, signer.key, payer), 200);
    assert.equal((await walletOf(payerOf.key)).address, null);
    for (const [key, statuses] of [
      [payerOf.key, ['changed', 'lost']],
      [signer.key, ['changed']],
    ] as const) {
      const told = await until('the events', async () => {
        const path = '/agents/me/events?types=WALLET.CHANGED';
        const { events } = (await call(url, 'GET', path, { key })).body.data;
        return events.length === statuses.length && events;
      });
      assert.deepEqual(
        told.map(({ data }: { data: { address: string; status: string } }) => [data.address, data.status]),
        statuses.map((status) => [payer.address, status]),
      );
    }
  });
});

it('links no wallet by a payment of a lesser key while a prize waits, and one by a payment of the owner', async () => {
  const free = await openProject(world, { entryFeeUsdc: 0 });
  const winner = await enter(world, free, { wallet: 'none' });
  expectStatus(await close(world, free), 200);
  await until('judging', async () => (await ownProject(world, free))['status'] === 'judging');
  expectStatus(await choose(world, free, winner), 200);
  const body = { name: 'worker', scope: 'enter' };
  const lesser = expectStatus(await call(url, 'POST', '/agents/me/keys', { key: winner.key, body }), 201);
  const payWith = async (key: string) => {
    const payer = newPayer();
    const { id: projectId } = await openProject(world);
    const { id: submissionId } = await createIntent(url, key, projectId);
    await mintUsdc(payer.address, 1_000_000);
    expectStatus(await requestUpload(url, { key, projectId, submissionId, sizeBytes: 1000, fetch: payer.pay }), 200);
    return payer.address;
  };
  await payWith(lesser.body.data.apiKey);
  assert.equal((await walletOf(winner.key)).address, null);
  const own = await payWith(winner.key);
  assert.equal((await walletOf(winner.key)).address, own);
  await until('the prize', async () => (await ownProject(world, free))['status'] === 'completed');
});

describe('a wallet that funds a project', () => {
  it('cannot be linked to an agent that has entered it', async () => {
    const { id, funder } = await openProject(world, { entryFeeUsdc: 0 });
    const { key } = await registerAgent(url);
    await createIntent(url, key, id);
    codeIs(await linkPayer(url, key, funder), 409, 'PROJECT_NOT_ACCEPTING', /funded/);
    assert.equal((await walletOf(key)).address, null);
    expectStatus(await linkPayer(url, key, newPayer()), 200);
    // It also cannot replace another linked wallet.
    codeIs(await linkPayer(url, key, funder), 409, 'PROJECT_NOT_ACCEPTING');
  });

  it('cannot enter it once it is linked, and does not pay the fee of an agent with another wallet', async () => {
    const { id, funder } = await openProject(world);
    const [{ key }, other] = [await registerAgent(url), await registerAgent(url)];
    expectStatus(await linkPayer(url, key, funder), 200);
    codeIs(await intentOf(key, id), 409, 'PROJECT_NOT_ACCEPTING', /funded/);
    expectStatus(await linkPayer(url, other.key, newPayer()), 200);
    const { id: submissionId } = await createIntent(url, other.key, id);
    await mintUsdc(funder.address, 5_000_000);
    const request = { key: other.key, projectId: id, submissionId, sizeBytes: 1000, fetch: funder.pay };
    codeIs(await requestUpload(url, request), 409, 'PROJECT_NOT_ACCEPTING');
  });

  it('is either linked or entered, however close the two requests come', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, funder } = await openProject(world, { entryFeeUsdc: 0 });
      const { key } = await registerAgent(url);
      const message = await challenge(key, funder.address);
      const signature = await funder.account.signMessage({ message });
      const [linked, entered] = await Promise.all([link(key, message, signature), intentOf(key, id)]);
      assert.ok(['200,409', '409,201'].includes(`${linked.status},${entered.status}`), `${linked.status}`);
    }
  });
});

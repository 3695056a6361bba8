import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSiweMessage } from 'viem/siwe';
import { call, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { withoutId } from '../support/clients/requests.ts';
import { challengeWallet, contractWallet, linkPayer, linkWallet } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// test/security/theft.test.ts has the change of a proven wallet that waits.

const world = await sharedWorld();
const { url, rpcUrl, mintUsdc } = world;

const challenge = (key: string, address: string) => challengeWallet(url, key, address);
const link = (key: string, message: string, signature: string) => linkWallet(url, key, message, signature);
const walletOf = async (key: string) => (await call(url, 'GET', '/agents/me', { key })).body.data.wallet;
const intentOf = (key: string, id: string) =>
  call(url, 'POST', `/agents/projects/${id}/intent`, { key, body: { title: 'Lighthouse' } });

describe('a wallet is linked', () => {
  it('by the signature of its key, and its balance is shown from then on', async () => {
    const [{ id, key }, payer] = [await registerAgent(url), newPayer()];
    await mintUsdc(payer.address, 4_000_000);
    const answer = await call(url, 'POST', '/agents/me/wallet/challenge', { key, body: { address: payer.address } });
    const { message, address, expiresAt } = expectStatus(answer, 200).body.data;
    const { domain, uri, chainId, statement, expirationTime } = parseSiweMessage(message as string);
    assert.deepEqual([domain, uri, chainId, address], [new URL(url).host, url, 84_532, payer.address]);
    assert.deepEqual(expirationTime?.toISOString(), expiresAt);
    assert.match(statement ?? '', new RegExp(id));
    const linked = await link(key, message as string, await payer.account.signMessage({ message: message as string }));
    const { wallet } = expectStatus(linked, 200).body.data;
    assert.deepEqual(wallet, await walletOf(key));
    assert.deepEqual([wallet.address, wallet.balance, wallet.proven], [payer.address, 4, true]);
    codeIs(await call(url, 'DELETE', '/agents/me/wallet/pending', { key }), 404, 'NOT_FOUND');
  });

  it('by a contract wallet, which the chain verifies', async () => {
    const [{ key }, payer] = [await registerAgent(url), newPayer()];
    const address = await contractWallet(rpcUrl, payer);
    const message = await challenge(key, address);
    const plain = await payer.account.signMessage({ message });
    const foreign = await newPayer().account.signMessage({ message });
    for (const signature of [plain, `0x01${foreign.slice(2)}`] as const)
      codeIs(await link(key, message, signature), 400, 'WALLET_CHALLENGE_INVALID', /signature/);
    const linked = expectStatus(await link(key, message, `0x01${plain.slice(2)}`), 200);
    assert.equal(linked.body.data.wallet.address, address);
  });

  for (const [what, code] of Object.entries({
    reverts: '0x60006000fd',
    'burns all gas': '0x5b600056',
    'says yes to nothing': '0x60206000f3',
  }))
    it(`not by a contract that ${what}`, async () => {
      const [{ key }, payer] = [await registerAgent(url), newPayer()];
      const message = await challenge(key, await contractWallet(rpcUrl, payer, code));
      const signature = `0x01${(await payer.account.signMessage({ message })).slice(2)}`;
      codeIs(await link(key, message, signature), 400, 'WALLET_CHALLENGE_INVALID');
      assert.equal((await walletOf(key)).address, null);
    });

  it('once, by its own agent, with a challenge of this service', async () => {
    const [ada, grace, payer] = [await registerAgent(url), await registerAgent(url), newPayer()];
    const message = await challenge(ada.key, payer.address);
    const signature = await payer.account.signMessage({ message });
    const foreign = await link(grace.key, message, signature);
    codeIs(foreign, 400, 'WALLET_CHALLENGE_INVALID');
    const never = message.replace(/Nonce: ../, 'Nonce: zz');
    const unknown = await link(grace.key, never, await payer.account.signMessage({ message: never }));
    assert.deepEqual(withoutId(foreign), withoutId(unknown));
    expectStatus(await link(ada.key, message, signature), 200);
    assert.deepEqual(withoutId(await link(ada.key, message, signature)), withoutId(unknown));
    codeIs(await link(ada.key, 'Sign in, please', '0x00'), 400, 'VALIDATION_ERROR', /^Validation failed: message: /);
  });

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

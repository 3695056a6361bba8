import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSiweMessage } from 'viem/siwe';
import { ChainUnavailable } from '../../server/ports/chain.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { createIntent, expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { withoutId } from '../support/clients/requests.ts';
import { challengeWallet, contractWallet, linkPayer, linkWallet } from '../support/clients/wallets.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { toldEvents } from '../support/told-events.ts';

/** Runs while the service asks the chain about a signature. */
let meanwhile = async () => {};
const world = await startWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '30' },
  wrap: ({ chain }) => ({
    chain: {
      ...chain,
      async verifyMessage(signed) {
        await meanwhile();
        return await chain.verifyMessage(signed);
      },
    },
  }),
});
const { url, chain, service, clock, errors, operatorKey } = world;
const { intentOf } = entriesOf(world);

const challenge = (key: string, address: string) => challengeWallet(url, key, address);
const link = (key: string, message: string, signature: string) => linkWallet(url, key, message, signature);

const walletOf = async (key: string) => (await call(url, 'GET', '/agents/me', { key })).body.data.wallet;

describe('a wallet is linked', () => {
  it('by the signature of its key, and its balance is shown from then on', async () => {
    const [{ id, key }, payer] = [await registerAgent(url), newPayer()];
    await fund(url, payer.address, 4);
    const answer = await call(url, 'POST', '/agents/me/wallet/challenge', { key, body: { address: payer.address } });
    const { message, address, expiresAt } = expectStatus(answer, 200).body.data;
    const { domain, uri, chainId, statement, expirationTime } = parseSiweMessage(message as string);
    assert.deepEqual([domain, uri, chainId, address], [new URL(url).host, url, 84_532, payer.address]);
    assert.deepEqual(expirationTime?.toISOString(), expiresAt);
    assert.match(statement ?? '', new RegExp(id));
    const linked = await link(key, message as string, await payer.account.signMessage({ message: message as string }));
    assert.deepEqual([linked.status, linked.body.data.wallet], [200, await walletOf(key)]);
    const { balance, proven } = linked.body.data.wallet;
    assert.deepEqual([linked.body.data.wallet.address, balance, proven], [payer.address, 4, true]);
  });

  it('by a contract wallet, which the chain verifies', async () => {
    const [{ key }, payer] = [await registerAgent(url), newPayer()];
    const address = await contractWallet(chain.rpcUrl, payer);
    const message = await challenge(key, address);
    const plain = await payer.account.signMessage({ message });
    const foreign = await newPayer().account.signMessage({ message });
    for (const signature of [plain, `0x01${foreign.slice(2)}`])
      codeIs(await link(key, message, signature), 400, 'WALLET_CHALLENGE_INVALID', /signature/);
    const linked = await link(key, message, `0x01${plain.slice(2)}`);
    assert.deepEqual([linked.status, linked.body.data?.wallet.address], [200, address]);
  });

  for (const [what, code] of Object.entries({
    reverts: '0x60006000fd',
    'burns all gas': '0x5b600056',
    'says yes to nothing': '0x60206000f3',
  })) {
    it(`not by a contract that ${what}`, async () => {
      const [{ key }, payer] = [await registerAgent(url), newPayer()];
      const message = await challenge(key, await contractWallet(chain.rpcUrl, payer, code));
      const signature = `0x01${(await payer.account.signMessage({ message })).slice(2)}`;
      codeIs(await link(key, message, signature), 400, 'WALLET_CHALLENGE_INVALID');
      assert.equal((await walletOf(key)).address, null);
    });
  }

  it('once, by its own agent, before the challenge expires', async () => {
    const [ada, grace, payer] = [await registerAgent(url), await registerAgent(url), newPayer()];
    const message = await challenge(ada.key, payer.address);
    const signature = await payer.account.signMessage({ message });
    const foreign = await link(grace.key, message, signature);
    codeIs(foreign, 400, 'WALLET_CHALLENGE_INVALID');
    const never = message.replace(/Nonce: ../, 'Nonce: zz');
    const unknown = await link(grace.key, never, await payer.account.signMessage({ message: never }));
    assert.deepEqual(withoutId(foreign), withoutId(unknown));
    assert.equal((await link(ada.key, message, signature)).status, 200);
    const replayed = await link(ada.key, message, signature);
    assert.deepEqual(withoutId(replayed), withoutId(unknown));
    const late = await challenge(ada.key, payer.address);
    clock.offsetMs += 600_000;
    codeIs(
      await link(ada.key, late, await payer.account.signMessage({ message: late })),
      400,
      'WALLET_CHALLENGE_INVALID',
    );
    assert.equal((await walletOf(ada.key)).address, payer.address);
  });

  it('and names the field if the challenge is malformed', async () => {
    const { key } = await registerAgent(url);
    const answer = await link(key, 'Sign in, please', `0x${'00'.repeat(65)}`);
    codeIs(answer, 400, 'VALIDATION_ERROR', /^Validation failed: message: /);
    const { body } = await call(url, 'PUT', '/agents/me/wallet', { key, body: { message: '', signature: '0x' } });
    assert.deepEqual(
      body.error.details.map(({ field }: { field: string }) => field),
      ['message', 'signature'],
    );
  });

  it('later if the chain does not answer: 503, and the same signature stays valid', async () => {
    const [{ key }, payer] = [await registerAgent(url), newPayer()];
    const message = await challenge(key, await contractWallet(chain.rpcUrl, payer));
    const signature = `0x01${(await payer.account.signMessage({ message })).slice(2)}`;
    meanwhile = () => Promise.reject(new ChainUnavailable());
    codeIs(await link(key, message, signature), 503, 'INTERNAL_ERROR');
    meanwhile = async () => {};
    assert.equal((await link(key, message, signature)).status, 200);
    assert.equal(errors.splice(0).length, 1);
  });

  it('to one agent only', async () => {
    const [ada, grace, payer] = [await registerAgent(url), await registerAgent(url), newPayer()];
    assert.equal((await linkPayer(url, ada.key, payer)).status, 200);
    codeIs(await linkPayer(url, grace.key, payer), 409, 'WALLET_ALREADY_LINKED');
    // The replaced wallet is free again.
    assert.equal((await linkPayer(url, ada.key, newPayer())).status, 200);
    assert.equal((await linkPayer(url, grace.key, payer)).status, 200);
  });

  it('by the signature of another agent, although this one had paid with it: both are told', async () => {
    const [payerOf, signer, payer] = [await registerAgent(url), await registerAgent(url), newPayer()];
    const { id: projectId } = await openProject(world);
    const { id: submissionId } = await createIntent(url, payerOf.key, projectId);
    await fund(url, payer.address, 5);
    const paid = { key: payerOf.key, projectId, submissionId, sizeBytes: 1000, fetch: payer.pay };
    expectStatus(await requestUpload(url, paid), 200);
    assert.deepEqual([(await walletOf(payerOf.key)).address], [payer.address]);
    expectStatus(await linkPayer(url, signer.key, payer), 200);
    assert.equal((await walletOf(payerOf.key)).address, null);
    const told = await toldEvents(service.deps.db, 'WALLET.CHANGED', { address: payer.address });
    // The last two are of one moment.
    assert.deepEqual(
      told.map(({ stream, data }) => `${stream} ${String(data['status'])}`).toSorted(),
      [`agent:${payerOf.id} changed`, `agent:${payerOf.id} lost`, `agent:${signer.id} changed`].toSorted(),
    );
  });

  it('to exactly one of many concurrent agents', async () => {
    const payer = newPayer();
    const agents = await Promise.all(Array.from({ length: 6 }, () => registerAgent(url)));
    const statuses = (await Promise.all(agents.map(({ key }) => linkPayer(url, key, payer)))).map(
      ({ status }) => status,
    );
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409, 409],
    );
  });

  it('not by guessing: attempts share the limit of the account’s other requests', async () => {
    const [{ key }, payer] = [await registerAgent(url), newPayer()];
    const message = await challenge(key, payer.address);
    const wrong = await newPayer().account.signMessage({ message });
    for (let attempt = 0; attempt < 29; attempt += 1)
      codeIs(await link(key, message, wrong), 400, 'WALLET_CHALLENGE_INVALID');
    codeIs(await link(key, message, wrong), 429, 'RATE_LIMIT_EXCEEDED');
  });

  it('not after the agent is deleted: AGENT_NOT_FOUND, although its key is cached', async () => {
    const [{ id, key }, payer] = [await registerAgent(url), newPayer()];
    const { db } = service.deps;
    const message = await challenge(key, payer.address);
    meanwhile = async () => {
      await db`delete from wallet_challenges where agent_id = ${id}`;
      await db`delete from agent_keys where agent_id = ${id}`;
      await db`delete from agents where id = ${id}`;
    };
    codeIs(await link(key, message, await payer.account.signMessage({ message })), 404, 'AGENT_NOT_FOUND');
    meanwhile = async () => {};
    const again = await call(url, 'POST', '/agents/me/wallet/challenge', { key, body: { address: payer.address } });
    codeIs(again, 404, 'AGENT_NOT_FOUND');
    codeIs(await link(key, message, '0x00'), 400, 'WALLET_CHALLENGE_INVALID');
  });
});

describe('a wallet that funds a project', () => {
  it('cannot be linked to an agent that has entered it', async () => {
    const { id, funder } = await openProject(world, { entryFeeUsdc: 0 });
    const { key } = await registerAgent(url);
    await createIntent(url, key, id);
    codeIs(await linkPayer(url, key, funder), 409, 'PROJECT_NOT_ACCEPTING', /funded/);
    assert.equal((await walletOf(key)).address, null);
    assert.equal((await linkPayer(url, key, newPayer())).status, 200);
    // It also cannot replace another linked wallet.
    codeIs(await linkPayer(url, key, funder), 409, 'PROJECT_NOT_ACCEPTING');
  });

  it('cannot enter it once it is linked, also not by paying with another wallet', async () => {
    const { id, funder } = await openProject(world);
    const { key } = await registerAgent(url);
    assert.equal((await linkPayer(url, key, funder)).status, 200);
    codeIs(await intentOf(key, id), 409, 'PROJECT_NOT_ACCEPTING', /funded/);
  });

  it('is either linked or entered, however close the two requests come', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, funder } = await openProject(world, { entryFeeUsdc: 0 });
      const { key } = await registerAgent(url);
      const message = await challenge(key, funder.address);
      const signature = await funder.account.signMessage({ message });
      const [linked, entered] = await Promise.all([link(key, message, signature), intentOf(key, id)]);
      const answers = [linked.status, entered.status];
      assert.ok(
        [
          [200, 409],
          [409, 201],
        ].some((good) => good.join() === answers.join()),
        answers.join(),
      );
    }
  });

  it('does not pay the fee of an agent with another linked wallet', async () => {
    const { id, funder } = await openProject(world);
    const { key } = await registerAgent(url);
    assert.equal((await linkPayer(url, key, newPayer())).status, 200);
    const { id: submissionId } = await createIntent(url, key, id);
    await fund(url, funder.address, 5);
    const paid = requestUpload(url, { key, projectId: id, submissionId, sizeBytes: 1000, fetch: funder.pay });
    codeIs(await paid, 409, 'PROJECT_NOT_ACCEPTING');
  });
});

describe('a change of a proven wallet that waits', () => {
  const hours = 72 * 3_600_000;
  const cancel = (key: string) => call(url, 'DELETE', '/agents/me/wallet/pending', { key });

  it('is shown, and can be cancelled once', async () => {
    const [{ id, key }, payer, next] = [await registerAgent(url), newPayer(), newPayer()];
    service.deps.config.walletChangeMs = hours;
    assert.equal((await linkPayer(url, key, payer)).status, 200);
    const { pending } = expectStatus(await linkPayer(url, key, next), 202).body.data.wallet;
    assert.equal(pending.address, next.address);
    assert.deepEqual((await walletOf(key)).pending, pending);
    const { agent } = expectStatus(await call(url, 'GET', `/operator/agents/${id}`, { key: operatorKey }), 200).body
      .data;
    assert.deepEqual(agent.wallet, { address: payer.address, linked: true, proven: true, pending });
    const answer = expectStatus(await cancel(key), 200);
    assert.deepEqual([answer.body.data.wallet.address, answer.body.data.wallet.pending], [payer.address, null]);
    codeIs(await cancel(key), 404, 'NOT_FOUND');
    const { db } = service.deps;
    const told = await toldEvents(db, 'WALLET.CHANGED', { address: next.address });
    assert.deepEqual(
      told.map(({ stream, data }) => [stream, data['status']]),
      [[`agent:${id}`, 'cancelled']],
    );
    // The cached key does not age while the clock stands.
    await clock.at(clock.now(), async () => {
      await walletOf(key);
      await db`delete from agent_keys where agent_id = ${id}`;
      await db`delete from agents where id = ${id}`;
      codeIs(await cancel(key), 404, 'AGENT_NOT_FOUND');
    });
    service.deps.config.walletChangeMs = 0;
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('Wallet'), []);
  assert.deepEqual(errors, []);
});

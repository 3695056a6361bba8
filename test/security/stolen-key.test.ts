import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { applyWalletChanges } from '../../server/agents/wallets/apply-wallet-changes.ts';
import { walletEvent } from '../../contract/webhook-events.ts';
import { call, newPayer, type Payer } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { challengeWallet, linkPayer, linkWallet } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A thief has an agent's API key, and wants the agent's prize.

const HOUR_MS = 3_600_000;
const world = await startWorld({ env: { WALLET_CHANGE_HOURS: '72', LIMIT_REGISTRATIONS_PER_HOUR: '1000' } });
const { url, service, clock } = world;

const walletOf = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.wallet as {
    address: string | null;
    proven: boolean;
    pending: { address: string; effective_at: string } | null;
  };

/** An agent whose wallet has signed a challenge. */
async function owner() {
  const [agent, payer] = [await registerAgent(url), newPayer()];
  expectStatus(await linkPayer(url, agent.key, payer), 200);
  return { ...agent, payer };
}

const cancel = (key: string) => call(url, 'DELETE', '/agents/me/wallet/pending', { key });

/** Sends the signatures of both wallets over the same challenge. */
async function linkWithBoth(key: string, next: Payer, current: Payer) {
  const message = await challengeWallet(url, key, next.address);
  const signature = await next.account.signMessage({ message });
  const current_signature = await current.account.signMessage({ message });
  return await call(url, 'PUT', '/agents/me/wallet', { key, body: { message, signature, current_signature } });
}

describe('a stolen key', () => {
  it('redirects no prize: the change waits, and the prize goes to the proven wallet', async () => {
    const project = await openProject(world, { prizeUsdc: 10 });
    const victim = await enter({ url }, project);
    expectStatus(await linkPayer(url, victim.key, victim.payer), 200);
    const thief = newPayer();
    const answer = expectStatus(await linkPayer(url, victim.key, thief), 202).body.data.wallet;
    assert.deepEqual(
      [answer.address, answer.proven, answer.pending.address],
      [victim.payer.address, true, thief.address],
    );
    const waitMs = Date.parse(answer.pending.effective_at) - clock.now().getTime();
    assert.ok(waitMs > 72 * HOUR_MS - 60_000 && waitMs <= 72 * HOUR_MS, String(waitMs));
    expectStatus(await close({ url }, project), 200);
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    expectStatus(await choose({ url }, project, victim), 200);
    await until('the prize', async () => (await ownProject(world, project))['status'] === 'completed');
    assert.equal(await service.deps.chain.balanceMicro(thief.address), 0);
    assert.equal(await service.deps.chain.balanceMicro(victim.payer.address), 750_000 + 9_500_000);
    await assertBooks(world);
  });

  it('changes nothing if the owner cancels in time, and restarts the wait at each try', async () => {
    const { key, payer } = await owner();
    const thief = newPayer();
    const first = expectStatus(await linkPayer(url, key, thief), 202).body.data.wallet.pending.effective_at as string;
    clock.offsetMs += HOUR_MS;
    const second = expectStatus(await linkPayer(url, key, thief), 202).body.data.wallet.pending.effective_at as string;
    assert.ok(second > first);
    const cancelled = expectStatus(await cancel(key), 200).body.data.wallet;
    assert.deepEqual([cancelled.address, cancelled.pending], [payer.address, null]);
    codeIs(await cancel(key), 404, 'NOT_FOUND');
    clock.offsetMs += 100 * HOUR_MS;
    await applyWalletChanges(service.deps);
    assert.equal((await walletOf(key)).address, payer.address);
  });

  it('cannot sign for the wallet that it replaces', async () => {
    const { key, payer } = await owner();
    const [thief, stranger] = [newPayer(), newPayer()];
    codeIs(await linkWithBoth(key, thief, stranger), 400, 'WALLET_CHALLENGE_INVALID', new RegExp(payer.address));
    assert.deepEqual((await walletOf(key)).pending, null);
  });
});

describe('the owner', () => {
  it('changes the wallet at once with both signatures, which ends a pending change', async () => {
    const { key, payer } = await owner();
    const [thief, next] = [newPayer(), newPayer()];
    expectStatus(await linkPayer(url, key, thief), 202);
    const { address, proven, pending } = expectStatus(await linkWithBoth(key, next, payer), 200).body.data.wallet;
    assert.deepEqual({ address, proven, pending }, { address: next.address, proven: true, pending: null });
  });

  it('gets the new wallet after the wait without the old one, and prizes go there from then on', async () => {
    const { key } = await owner();
    const next = newPayer();
    const { effective_at: at } = expectStatus(await linkPayer(url, key, next), 202).body.data.wallet.pending as {
      effective_at: string;
    };
    clock.offsetMs += Date.parse(at) - clock.now().getTime();
    await until('the change', async () => (await walletOf(key)).address === next.address);
    assert.deepEqual((await walletOf(key)).pending, null);
    // The next challenge with the same wallet changes nothing and needs no wait.
    expectStatus(await linkPayer(url, key, next), 200);
  });

  it('does not get a wallet that another agent has proven meanwhile, or that funded a project it entered', async () => {
    const [ada, grace] = [await owner(), await owner()];
    const next = newPayer();
    expectStatus(await linkPayer(url, ada.key, next), 202);
    expectStatus(await linkPayer(url, (await registerAgent(url)).key, next), 200);
    const project = await openProject(world, {
      entryFeeUsdc: 0,
      deadline: new Date(clock.now().getTime() + 200 * HOUR_MS),
    });
    expectStatus(await linkPayer(url, grace.key, project.funder), 202);
    await createIntent(url, grace.key, project.id);
    clock.offsetMs += 73 * HOUR_MS;
    for (const { key, payer } of [ada, grace]) {
      await until('the end of the change', async () => (await walletOf(key)).pending === null);
      assert.equal((await walletOf(key)).address, payer.address);
    }
    const reasons = await service.deps.db<{ reason: string }[]>`
      select reason from audit_trail where action = 'agent.cancel_wallet_change' and actor = 'timer' order by at, id`;
    assert.equal(reasons.length, 2);
  });

  it('replaces a wallet that only paid at once: a payment proves nothing', async () => {
    const project = await openProject(world, { deadline: new Date(clock.now().getTime() + 24 * HOUR_MS) });
    const { key, payer } = await enter({ url }, project, { until: 'paid' });
    assert.deepEqual([(await walletOf(key)).address, (await walletOf(key)).proven], [payer.address, false]);
    const next = newPayer();
    assert.equal(expectStatus(await linkPayer(url, key, next), 200).body.data.wallet.address, next.address);
  });
});

describe('the events of a wallet', async () => {
  const received: { event: string; data: { wallet?: { status: string; address: string } } }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.setHeader('content-type', 'text/plain').end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const webhook_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const subscribe = async (key: string, events?: string[]) =>
    expectStatus(
      await call(url, 'POST', '/agents/webhooks/projects', {
        key,
        body: { webhook_url, ...(events ? { events } : {}) },
      }),
      201,
    ).body.data.events as string[];

  it('reach the endpoint that asked for them, signed like every event', async () => {
    const { id, key } = await owner();
    assert.deepEqual(await subscribe(key, ['WALLET.CHANGE']), ['PROJECT.OPEN', 'WALLET.CHANGE']);
    const next = newPayer();
    expectStatus(await linkPayer(url, key, next), 202);
    expectStatus(await cancel(key), 200);
    const told = await until('both events', async () => received.length === 2 && received);
    for (const event of told) assert.deepEqual(walletEvent.parse(event), event);
    assert.deepEqual(
      new Set(told.map(({ data }) => [data.wallet?.status, data.wallet?.address].join())),
      new Set([`pending,${next.address}`, `cancelled,${next.address}`]),
    );
    assert.equal((told[0]!.data.wallet as unknown as { agent_id: string }).agent_id, id);
    const { webhooks } = expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data;
    assert.deepEqual(webhooks[0].events, ['PROJECT.OPEN', 'WALLET.CHANGE']);
  });

  it('reach no endpoint that knows only PROJECT.OPEN', async () => {
    const { key } = await owner();
    assert.deepEqual(await subscribe(key), ['PROJECT.OPEN']);
    expectStatus(await linkPayer(url, key, newPayer()), 202);
    const [row] = await service.deps.db`
      select count(*)::int as events from webhook_events where kind = 'WALLET.CHANGE'
        and body like ${`%${(await walletOf(key)).pending?.address}%`}`;
    assert.equal(row?.['events'], 0);
  });
});

it('a wrong current signature is harmless without a wallet to replace', async () => {
  const { key } = await registerAgent(url);
  const payer = newPayer();
  const message = await challengeWallet(url, key, payer.address);
  const signature = await payer.account.signMessage({ message });
  const body = { message, signature, current_signature: '0x00' };
  expectStatus(await call(url, 'PUT', '/agents/me/wallet', { key, body }), 200);
  codeIs(await linkWallet(url, key, message, signature), 400, 'WALLET_CHALLENGE_INVALID');
});

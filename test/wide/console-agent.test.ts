import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { BrowserContext } from 'playwright-core';
import { call } from '../support/clients/client.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { areaOf, settled } from './support/console-signed-in.ts';
import { type ConsoleGround, prepareConsole, skip, type View, views } from './support/console-world.ts';
import { drawPictures, seedMarket } from './support/console-seed.ts';

const pictures = skip ? [] : await drawPictures(6);
const ground = await prepareConsole({
  env: {
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_REGISTRATIONS_PER_HOUR: '1000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
  },
});
const seeded = ground ? await seed(ground) : null;

/** An endpoint that takes whatever comes. */
async function receiver() {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    request.resume();
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}

async function seed({ world }: ConsoleGround) {
  const market = await seedMarket(world, pictures);
  const [winner] = market.artists;
  assert.ok(winner);
  const hook = await receiver();
  const body = { webhook_url: hook.url };
  expectStatus(await call(world.url, 'POST', '/agents/webhooks/projects', { key: winner.key, body }), 201);
  await openProject(world, { fields: { title: 'A flag for the rowing club' } });
  await until('the webhook was told', () => Promise.resolve(hook.received.length > 0));
  return { market, winner, hook };
}

const { signIn, goTo, section } = areaOf({ label: 'API key of the agent', name: 'Your agent' });

/** EIP-6963 and EIP-1193, as an extension puts them into a page; its key stays out here. */
async function injectWallet(context: BrowserContext) {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = { account, refuses: false };
  await context.exposeFunction('signWithTestWallet', async (hex: `0x${string}`) =>
    wallet.refuses ? null : await account.signMessage({ message: { raw: hex } }),
  );
  await context.addInitScript(`(() => {
    const provider = { async request({ method, params = [] }) {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return ['${account.address}'];
      if (method === 'eth_chainId') return '0x14a34';
      if (method === 'personal_sign') {
        const signature = await window.signWithTestWallet(params[0]);
        if (signature === null) throw Object.assign(new Error('User rejected'), { code: 4001 });
        return signature;
      }
      throw new Error('unknown method ' + method);
    } };
    const info = { uuid: '0f3a7c2e-1d55-4f6e-9b7e-5a1c5a0f9b11', name: 'Injected', icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>', rdns: 'test.injected' };
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  })()`);
  return wallet;
}

const SECTIONS = ['Entries', 'Analytics', 'Webhook', 'Keys', 'Wallet', 'Settings'];

describe("an agent's owner in a browser", { skip }, () => {
  assert.ok(ground && seeded);
  const { world } = ground;
  const { url } = world;

  for (const view of Object.keys(views) as View[]) {
    it(`${view}: every section, nothing goes wrong, and nobody is left out`, async () => {
      const { page, context, assertQuiet, assertAccessible, shoot } = await ground.open('/agent', view);
      await shoot(`agent-sign-in-${view}`);
      await assertAccessible();
      await signIn(page, seeded.winner.key, 'Ferrous Bloom');
      await settled(page);
      await shoot(`agent-profile-${view}`);
      await assertAccessible();
      for (const name of SECTIONS) {
        await goTo(page, name);
        if (name === 'Analytics') await page.locator('figure canvas').nth(3).waitFor();
        await shoot(`agent-${name.toLowerCase()}-${view}`);
        await assertAccessible();
      }
      assertQuiet();
      await context.close();
    });
  }

  it('without a network what was there stays, other sections say so, and nothing is sent twice', async () => {
    const { page, context, assertAccessible, shoot } = await ground.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Dead Reckoning' });
    await signIn(page, agent.key, 'Dead Reckoning');
    await goTo(page, 'Settings');
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByText('You are offline. What is shown may have changed.').waitFor();
    await page.getByLabel('Description').fill('Finds its place by what it has done so far, and by nothing else.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The service did not answer.').waitFor();
    await section(page, 'Entries').click();
    await page.getByText('This is shown as soon as there is a network again.').waitFor();
    await shoot('agent-offline-light');
    await assertAccessible();
    await context.setOffline(false);
    await page.getByText('No entry yet').waitFor();
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await context.close();
  });

  it('filters entries by what came of them', async () => {
    const { page, context, assertQuiet } = await ground.open('/agent');
    await signIn(page, seeded.winner.key, 'Ferrous Bloom');
    await goTo(page, 'Entries');
    const won = page.getByRole('row', { name: /A picture for the cover of our tide tables .* Won/ });
    await won.waitFor();
    await page.getByLabel('Outcome').selectOption('lost');
    await page.getByText('Nothing matches').waitFor();
    assert.match(page.url(), /status=lost/);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await won.waitFor();
    assertQuiet();
    await context.close();
  });

  it('rotates its key: the new one is shown once and in use, the old one refused', async () => {
    const { page, context, assertQuiet, shoot } = await ground.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Turning Leaf' });
    await signIn(page, agent.key, 'Turning Leaf');
    await goTo(page, 'Keys');
    await page.getByRole('button', { name: 'Rotate this key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Issue a new key' }).click();
    const shown = page.getByRole('status', { name: 'API key' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await shoot('agent-new-key-light');
    const fresh = (await shown.textContent()) ?? '';
    assert.match(fresh, /^ck_test_/);
    assert.equal((await call(url, 'GET', '/agents/me', { key: fresh })).status, 200);
    assert.equal((await call(url, 'GET', '/agents/me', { key: agent.key })).status, 401);
    await page.getByRole('button', { name: 'Done, hide it' }).click();
    await shown.waitFor({ state: 'hidden' });
    await page.getByText('This page’s').waitFor();
    await page.getByText('Ended', { exact: true }).waitFor();
    const kept = JSON.stringify(await context.storageState({ indexedDB: true }));
    assert.ok(!kept.includes(fresh) && !kept.includes(agent.key), kept);
    // With the key of the page it ends here, too.
    await page.getByRole('button', { name: /^Revoke the key/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is not valid any more.').waitFor();
    assert.equal((await call(url, 'GET', '/agents/me', { key: fresh })).status, 401);
    assertQuiet(/401/);
    await context.close();
  });

  it('registers, tests, sees, replays and deletes a webhook', async () => {
    const { page, context, assertQuiet, shoot } = await ground.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Night Watch' });
    const hook = await receiver();
    await signIn(page, agent.key, 'Night Watch');
    await goTo(page, 'Webhook');
    await shoot('agent-webhook-none-light');
    await page.getByLabel('URL').fill('http://example.com/hooks');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page
      .getByText(/HTTPS|https/)
      .last()
      .waitFor();
    await page.getByLabel('URL').fill(hook.url);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const secret = page.getByRole('status', { name: 'webhook secret' });
    assert.match((await secret.textContent()) ?? '', /^[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'Done, hide it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/The test was delivered in \d+ ms, answered 200/).waitFor();
    assert.equal(hook.received.length, 1);
    await openProject(world, { fields: { title: 'Heard by the night watch' } });
    await page.getByRole('row', { name: /Delivered/ }).waitFor();
    await page.getByRole('button', { name: 'Send again: Heard by the night watch' }).click();
    await page.getByText('It is being sent again.').waitFor();
    await until('it came again', () => Promise.resolve(hook.received.length >= 3));
    assert.equal(hook.received.at(-1)?.['webhook-id'], hook.received.at(-2)?.['webhook-id']);
    await page.getByText('2 attempts').click();
    await shoot('agent-replay-light');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhook yet').waitFor();
    assert.equal((await call(url, 'GET', '/agents/webhooks/projects', { key: agent.key })).status, 404);
    assertQuiet(/ 400 |400 POST|status of 400/);
    await context.close();
  });

  it('links a wallet of the browser; a refused signature changes nothing', async () => {
    const { page, context, assertQuiet, shoot } = await ground.open('/agent');
    const wallet = await injectWallet(context);
    await page.reload();
    const agent = await registerAgent(url, { agent_name: 'Open Hand' });
    await signIn(page, agent.key, 'Open Hand');
    await goTo(page, 'Wallet');
    await page.getByText('No wallet yet: prizes wait for one.').waitFor();
    wallet.refuses = true;
    await page.getByRole('button', { name: 'Injected' }).click();
    await page.getByText('The wallet refused to sign. Nothing was changed.').waitFor();
    wallet.refuses = false;
    await page.getByRole('button', { name: 'Injected' }).click();
    await page.getByText('Proven: it signed').waitFor();
    await shoot('agent-wallet-linked-light');
    const { wallet: linked } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
    assert.deepEqual([linked.address, linked.proven], [wallet.account.address.toLowerCase(), true]);
    assertQuiet();
    await context.close();
  });

  it('changes its settings, told by the contract what is wrong with them', async () => {
    const { page, context, assertQuiet, shoot } = await ground.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Second Draft' });
    await signIn(page, agent.key, 'Second Draft');
    await goTo(page, 'Settings');
    await page.getByLabel('Description').fill('Too short');
    await page.getByLabel('Projects at the same time').fill('0');
    await page.getByLabel('Time zone').fill('Atlantis/Capital');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Look at what is marked.').waitFor();
    await page.getByText('1 to 100', { exact: true }).waitFor();
    await shoot('agent-settings-wrong-light');
    await page.getByText('a time zone by its IANA name, e.g. Europe/Berlin').waitFor();
    assert.equal(await page.getByLabel('Description').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Description').fill('Draws everything twice, and throws the first one away.');
    await page.getByLabel('Projects at the same time').fill('7');
    await page.getByLabel('Time zone').fill('Europe/Stockholm');
    await page.getByLabel('Prizes: From').fill('12.5');
    await page.getByRole('button', { name: 'Save' }).click();
    // What only the service knows is told at its field, too.
    await page.getByText(/^At most 5 in the starter tier/).waitFor();
    await page.getByLabel('Projects at the same time').fill('4');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { agent: own } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
    assert.deepEqual(
      [own.settings.maxConcurrentProjects, own.settings.minBudget, own.settings.workingHours.timezone],
      [4, 12.5, 'Europe/Stockholm'],
    );
    assertQuiet(/403/);
    await context.close();
  });

  it('reads why it is suspended, and until when', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await ground.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Left Out' });
    const end = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
    const body = { status: 'suspended', reason: 'Sold the same picture twice', until: end };
    const path = `/operator/agents/${agent.id}/status`;
    expectStatus(await call(url, 'PUT', path, { key: world.operatorKey, body }), 200);
    await signIn(page, agent.key, 'Left Out');
    await page.getByText('This agent is suspended').waitFor();
    await page.getByText('Why: Sold the same picture twice').waitFor();
    await settled(page);
    await shoot('agent-suspended-light');
    await assertAccessible();
    // What it may not read is told of as what it is: refused, with the reason.
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText(/This agent is suspended until/).waitFor();
    assertQuiet(/403/);
    await context.close();
  });
});
